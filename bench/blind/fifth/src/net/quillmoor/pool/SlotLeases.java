package net.quillmoor.pool;

import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Hands out leases on a limited number of worker slots.
 *
 * <p>Thread-safe, and so are the leases: a lease may be closed by any thread and any number of
 * times, only the first closing gives the slot back.
 */
public final class SlotLeases {

    private final Semaphore slots;
    private final int total;
    private final AtomicLong issued = new AtomicLong();

    private SlotLeases(int total) {
        this.total = total;
        this.slots = new Semaphore(total);
    }

    /** Creates a set of free slots. */
    public static SlotLeases of(int total) {
        if (total < 1) {
            throw new IllegalArgumentException("total: " + total);
        }
        return new SlotLeases(total);
    }

    /** Leases a slot if one is free. */
    public Optional<Lease> tryLease() {
        return slots.tryAcquire() ? Optional.of(newLease()) : Optional.empty();
    }

    /**
     * Leases a slot, waiting for one if need be.
     *
     * @return the lease, or nothing if the time ran out
     * @throws InterruptedException if interrupted while waiting
     */
    public Optional<Lease> lease(long timeout, TimeUnit unit) throws InterruptedException {
        return slots.tryAcquire(timeout, unit) ? Optional.of(newLease()) : Optional.empty();
    }

    /** Returns the number of free slots. */
    public int free() {
        return slots.availablePermits();
    }

    /** Returns the number of slots. */
    public int total() {
        return total;
    }

    private Lease newLease() {
        return new Lease(issued.incrementAndGet());
    }

    /** The right to use a slot until closed. */
    public final class Lease implements AutoCloseable {

        private final long number;
        private volatile boolean open = true;

        private Lease(long number) {
            this.number = number;
        }

        /** Returns the running number of this lease. */
        public long number() {
            return number;
        }

        /** Tells whether the slot is still held. */
        public boolean isOpen() {
            return open;
        }

        /** Gives the slot back; closing again has no effect. */
        @Override
        public void close() {
            if (!open) {
                return;
            }
            open = false;
            slots.release();
        }
    }
}
