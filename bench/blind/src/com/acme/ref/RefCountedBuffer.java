package com.acme.ref;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * A byte buffer with a reference count. It starts with one reference; the
 * memory is given back when the last one is released, after which the buffer
 * can not be retained any more. Counting is thread-safe.
 */
public final class RefCountedBuffer {

    private final AtomicInteger references = new AtomicInteger(1);
    private volatile byte[] memory;

    private RefCountedBuffer(int size) {
        this.memory = new byte[size];
    }

    /** Allocates a buffer holding one reference. */
    public static RefCountedBuffer allocate(int size) {
        if (size < 0 || size > 1 << 20) {
            throw new IllegalArgumentException("size: " + size);
        }
        return new RefCountedBuffer(size);
    }

    /**
     * Adds a reference.
     *
     * @throws IllegalStateException if the buffer has been given back
     */
    public RefCountedBuffer retain() {
        if (references.get() <= 0) {
            throw new IllegalStateException("released");
        }
        references.incrementAndGet();
        return this;
    }

    /**
     * Gives a reference back.
     *
     * @return whether this was the last one and the memory is given back
     * @throws IllegalStateException if there is no reference left
     */
    public boolean release() {
        int n = references.decrementAndGet();
        if (n < 0) {
            references.incrementAndGet();
            throw new IllegalStateException("released too often");
        }
        if (n == 0) {
            memory = null;
            return true;
        }
        return false;
    }

    /** Number of references. */
    public int refCount() {
        return Math.max(0, references.get());
    }

    /** Size of the memory; the caller must hold a reference. */
    public int size() {
        byte[] m = memory;
        if (m == null) {
            throw new IllegalStateException("released");
        }
        return m.length;
    }
}
