package b2.rendezvous;

/**
 * A reusable meeting point for a fixed number of threads: each waits until all have arrived. After
 * that, the meeting point can be used for the next round at once.
 *
 * <p>Thread-safe.
 */
public class Rendezvous {
    private final int parties;
    private int arrived;
    private long rounds;

    public Rendezvous() {
        this(2);
    }

    public Rendezvous(int parties) {
        if (parties < 1) {
            throw new IllegalArgumentException("parties: " + parties);
        }
        this.parties = parties;
    }

    /**
     * Waits until all parties have arrived in this round.
     *
     * @return true for the party that arrived last
     */
    public synchronized boolean meet() throws InterruptedException {
        arrived++;
        if (arrived == parties) {
            arrived = 0;
            rounds++;
            notifyAll();
            return true;
        }
        while (arrived != 0) {
            wait();
        }
        return false;
    }

    /** Returns the number of parties. */
    public int parties() {
        return parties;
    }

    /** Returns the number of finished rounds. */
    public synchronized long rounds() {
        return rounds;
    }
}
