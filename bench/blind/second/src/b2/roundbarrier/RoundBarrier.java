package b2.roundbarrier;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A reusable barrier for a fixed number of threads.
 *
 * <p>Thread-safe. Rounds are separate: a thread that is fast may arrive in the next round before
 * the slow ones have left the previous one.
 */
public class RoundBarrier {
    private final Lock lock = new ReentrantLock();
    private final Condition tripped = lock.newCondition();
    private final int parties;
    private int missing;
    private long round;

    public RoundBarrier() {
        this(2);
    }

    public RoundBarrier(int parties) {
        if (parties < 1) {
            throw new IllegalArgumentException("parties: " + parties);
        }
        this.parties = parties;
        this.missing = parties;
    }

    /**
     * Waits, uninterruptibly, until all parties have arrived.
     *
     * @return the number of the round, starting with 0
     */
    public long await() {
        lock.lock();
        try {
            long mine = round;
            if (--missing == 0) {
                missing = parties;
                round++;
                tripped.signalAll();
            } else {
                while (round == mine) {
                    tripped.awaitUninterruptibly();
                }
            }
            return mine;
        } finally {
            lock.unlock();
        }
    }

    /** Returns the number of threads that wait in the current round. */
    public int waiting() {
        lock.lock();
        try {
            return parties - missing;
        } finally {
            lock.unlock();
        }
    }

    /** Returns the number of finished rounds. */
    public long rounds() {
        lock.lock();
        try {
            return round;
        } finally {
            lock.unlock();
        }
    }
}
