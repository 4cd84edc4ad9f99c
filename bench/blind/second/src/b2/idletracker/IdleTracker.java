package b2.idletracker;

import java.util.concurrent.Phaser;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Counts the operations in flight and lets threads wait for a moment at which there are none.
 *
 * <p>Thread-safe. {@link #awaitIdle()} must not be called by a thread that is itself inside an
 * operation, for then it waits for itself.
 */
public class IdleTracker {
    /** One party belongs to the tracker itself, so that the phaser never terminates. */
    private final Phaser phaser = new Phaser(1);
    private final Object waiters = new Object();

    /** An operation in flight. Ending it again has no effect. */
    public final class Operation implements AutoCloseable {
        private final AtomicBoolean ended = new AtomicBoolean();

        private Operation() {
        }

        /** Ends the operation; returns false if it had been ended already. */
        public boolean end() {
            if (!ended.compareAndSet(false, true)) {
                return false;
            }
            phaser.arriveAndDeregister();
            return true;
        }

        @Override
        public void close() {
            end();
        }
    }

    /** Begins an operation. */
    public Operation begin() {
        phaser.register();
        return new Operation();
    }

    /** Runs an operation. */
    public void run(Runnable action) {
        try (Operation operation = begin()) {
            action.run();
        }
    }

    /** Returns the number of operations in flight. */
    public int inFlight() {
        return phaser.getRegisteredParties() - 1;
    }

    /**
     * Waits until there is a moment at which no operation is in flight. When the method returns,
     * new operations may have begun.
     */
    public void awaitIdle() {
        synchronized (waiters) {
            int phase = phaser.arrive();
            phaser.awaitAdvance(phase);
        }
    }
}
