package net.quillmoor.pool;

import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Lends out a limited number of permits and, when closed, waits for them to come back.
 *
 * <p>Thread-safe, and so are the loans. Waiting borrowers are served in no particular order. Once the
 * desk has been closed, borrowers, including those already waiting, are turned away with an
 * {@link IllegalStateException}.
 */
public final class PermitDesk {

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition permitFree = lock.newCondition();
    private final Condition allBack = lock.newCondition();
    private final int total;
    private int free;
    private boolean closed;

    /**
     * Opens a desk.
     *
     * @param total the number of permits, positive
     */
    public PermitDesk(int total) {
        if (total < 1) {
            throw new IllegalArgumentException("total: " + total);
        }
        this.total = total;
        this.free = total;
    }

    /**
     * Borrows a permit, waiting for one if need be.
     *
     * @return the loan, or nothing if the time ran out
     * @throws IllegalStateException if the desk is closed before a permit was obtained
     * @throws InterruptedException if interrupted while waiting
     */
    public Optional<Loan> borrow(long timeout, TimeUnit unit) throws InterruptedException {
        long left = unit.toNanos(timeout);
        lock.lockInterruptibly();
        try {
            while (!closed && free == 0) {
                if (left <= 0) {
                    return Optional.empty();
                }
                left = permitFree.awaitNanos(left);
            }
            if (closed) {
                throw new IllegalStateException("desk closed");
            }
            free--;
            return Optional.of(new Loan());
        } finally {
            lock.unlock();
        }
    }

    /**
     * Closes the desk and waits until all permits are back. May be called several times and by
     * several threads.
     *
     * @return whether all permits are back
     * @throws InterruptedException if interrupted while waiting; the desk is closed nevertheless
     */
    public boolean close(long timeout, TimeUnit unit) throws InterruptedException {
        long left = unit.toNanos(timeout);
        lock.lock();
        try {
            closed = true;
            permitFree.signalAll();
            while (free < total) {
                if (left <= 0) {
                    return false;
                }
                left = allBack.awaitNanos(left);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Returns the number of permits not lent out. */
    public int free() {
        lock.lock();
        try {
            return free;
        } finally {
            lock.unlock();
        }
    }

    private void giveBack() {
        lock.lock();
        try {
            free++;
            permitFree.signal();
            if (free == total) {
                allBack.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /** A borrowed permit. */
    public final class Loan implements AutoCloseable {
        private final AtomicBoolean returned = new AtomicBoolean();

        private Loan() {
        }

        /** Gives the permit back; closing again has no effect. */
        @Override
        public void close() {
            if (returned.compareAndSet(false, true)) {
                giveBack();
            }
        }
    }
}
