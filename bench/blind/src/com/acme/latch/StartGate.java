package com.acme.latch;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.AbstractQueuedSynchronizer;

/**
 * A gate that opens when a number of preparations have been reported, and
 * then stays open. Built on {@link AbstractQueuedSynchronizer}. Thread-safe.
 */
public class StartGate {

    private static final class Sync extends AbstractQueuedSynchronizer {
        private static final long serialVersionUID = 1L;

        Sync(int count) {
            setState(count);
        }

        int count() {
            return getState();
        }

        @Override
        protected int tryAcquireShared(int ignored) {
            return getState() == 0 ? 1 : -1;
        }

        @Override
        protected boolean tryReleaseShared(int n) {
            for (;;) {
                int c = getState();
                if (c == 0) {
                    return false;
                }
                int next = n >= c ? 0 : c - n;
                if (compareAndSetState(c, next)) {
                    return next == 0;
                }
            }
        }
    }

    private final Sync sync;

    public StartGate() {
        this(1);
    }

    public StartGate(int preparations) {
        if (preparations < 0) {
            throw new IllegalArgumentException("preparations: " + preparations);
        }
        sync = new Sync(preparations);
    }

    /** Reports a preparation; returns whether this opened the gate. */
    public boolean ready() {
        return sync.releaseShared(1);
    }

    /** Opens the gate whatever is missing; false if it was open. */
    public boolean open() {
        return sync.releaseShared(Integer.MAX_VALUE);
    }

    /** Waits for the gate to open. */
    public void await() throws InterruptedException {
        sync.acquireSharedInterruptibly(1);
    }

    /** Waits for the gate to open, up to a time; returns whether it did. */
    public boolean await(long timeout, TimeUnit unit) throws InterruptedException {
        return sync.tryAcquireSharedNanos(1, unit.toNanos(timeout));
    }

    public boolean isOpen() {
        return sync.count() == 0;
    }

    /** Number of preparations missing. */
    public int missing() {
        return sync.count();
    }
}
