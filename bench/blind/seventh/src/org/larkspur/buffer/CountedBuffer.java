package org.larkspur.buffer;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * A fixed size byte buffer with a reference count.
 *
 * <p>A new buffer has a reference count of one. When the count drops to zero the buffer is handed
 * to its deallocator, exactly once, and must not be used any more: from then on every attempt to
 * {@link #retain} it fails with an {@link IllegalStateException}.
 *
 * <p>The reference count may be manipulated by any number of threads. The contents are not
 * synchronized in any way.
 */
public class CountedBuffer {

    private final byte[] memory;
    private final AtomicInteger references = new AtomicInteger(1);
    private final Consumer<? super CountedBuffer> deallocator;

    /**
     * Creates a buffer.
     *
     * @param capacity the number of bytes
     * @param deallocator called when the last reference is released
     */
    public CountedBuffer(int capacity, Consumer<? super CountedBuffer> deallocator) {
        this.memory = new byte[capacity];
        this.deallocator = Objects.requireNonNull(deallocator, "deallocator");
    }

    /** Returns the capacity in bytes. */
    public int capacity() {
        return memory.length;
    }

    /** Returns the current reference count, zero if the buffer has been deallocated. */
    public int referenceCount() {
        return references.get();
    }

    /**
     * Increases the reference count by one.
     *
     * @return this buffer
     * @throws IllegalStateException if the buffer has been deallocated
     */
    public CountedBuffer retain() {
        int old = references.getAndIncrement();
        if (old <= 0) {
            references.getAndDecrement();
            throw new IllegalStateException("buffer has been deallocated");
        }
        return this;
    }

    /**
     * Decreases the reference count by one, and deallocates the buffer if it becomes zero.
     *
     * @return true if the buffer has been deallocated by this call
     * @throws IllegalStateException if the buffer had been deallocated before
     */
    public boolean release() {
        for (;;) {
            int current = references.get();
            if (current <= 0) {
                throw new IllegalStateException("buffer has been deallocated");
            }
            if (references.compareAndSet(current, current - 1)) {
                if (current == 1) {
                    deallocator.accept(this);
                    return true;
                }
                return false;
            }
        }
    }

    /** Returns the byte at the given index. */
    public byte get(int index) {
        ensureAccessible();
        return memory[index];
    }

    /** Sets the byte at the given index. */
    public void put(int index, byte value) {
        ensureAccessible();
        memory[index] = value;
    }

    private void ensureAccessible() {
        if (references.get() <= 0) {
            throw new IllegalStateException("buffer has been deallocated");
        }
    }
}
