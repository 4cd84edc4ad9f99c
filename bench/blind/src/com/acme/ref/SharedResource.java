package com.acme.ref;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Counts the users of something that must be disposed when the last of them
 * has gone. Lock-free; the disposer runs exactly once, in the thread that
 * releases the last reference, after which no reference can be had.
 */
public final class SharedResource {

    private final AtomicInteger count = new AtomicInteger(1);
    private final Runnable disposer;

    /** Starts with one reference, that of the creator. */
    public SharedResource(Runnable disposer) {
        this.disposer = Objects.requireNonNull(disposer);
    }

    /** Takes a reference; false if the resource is disposed or about to be. */
    public boolean tryRetain() {
        int n = count.get();
        while (n > 0) {
            if (count.compareAndSet(n, n + 1)) {
                return true;
            }
            n = count.get();
        }
        return false;
    }

    /**
     * Takes a reference.
     *
     * @throws IllegalStateException if there is none left
     */
    public void retain() {
        if (!tryRetain()) {
            throw new IllegalStateException("disposed");
        }
    }

    /**
     * Gives a reference back.
     *
     * @return whether it was the last one
     * @throws IllegalStateException if there is none left
     */
    public boolean release() {
        for (;;) {
            int n = count.get();
            if (n == 0) {
                throw new IllegalStateException("disposed");
            }
            if (count.compareAndSet(n, n - 1)) {
                if (n == 1) {
                    disposer.run();
                    return true;
                }
                return false;
            }
        }
    }

    /** Number of references. */
    public int references() {
        return count.get();
    }
}
