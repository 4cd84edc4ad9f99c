package net.quillmoor.queue;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * A bounded queue between exactly one producer thread and exactly one consumer thread.
 *
 * <p>{@link #offer} must only be called by the producer, {@link #poll} and {@link #peek} only by the
 * consumer; anything else breaks the queue. Under that rule no further synchronization is needed and
 * no method ever blocks. {@link #size()} may be called by any thread.
 *
 * @param <E> the element type
 */
public final class OneWayRing<E> {

    private final AtomicReferenceArray<E> slots;
    private final int mask;
    /** The number of elements ever taken; written by the consumer. */
    private final AtomicLong taken = new AtomicLong();
    /** The number of elements ever put; written by the producer. */
    private final AtomicLong put = new AtomicLong();

    /**
     * Creates an empty ring.
     *
     * @param capacity the number of slots, a power of two
     */
    public OneWayRing(int capacity) {
        if (Integer.bitCount(capacity) != 1 || capacity < 0) {
            throw new IllegalArgumentException("not a power of two: " + capacity);
        }
        slots = new AtomicReferenceArray<>(capacity);
        mask = capacity - 1;
    }

    /**
     * Puts an element at the end. Producer only.
     *
     * @return false if the ring is full
     */
    public boolean offer(E element) {
        Objects.requireNonNull(element, "element");
        long at = put.get();
        if (at - taken.get() > mask) {
            return false;
        }
        slots.setRelease((int) at & mask, element);
        put.set(at + 1);
        return true;
    }

    /** Takes the first element, or returns null if there is none. Consumer only. */
    public E poll() {
        long at = taken.get();
        if (at == put.get()) {
            return null;
        }
        int index = (int) at & mask;
        E element = slots.getAcquire(index);
        slots.setRelease(index, null);
        taken.set(at + 1);
        return element;
    }

    /** Returns the first element without taking it, or null if there is none. Consumer only. */
    public E peek() {
        long at = taken.get();
        return at == put.get() ? null : slots.getAcquire((int) at & mask);
    }

    /**
     * Returns the number of elements. While the other thread is at work this is a number between
     * zero and the capacity that was about right a moment ago.
     */
    public int size() {
        long before = taken.get();
        long size = put.get() - before;
        return (int) Math.min(size, mask + 1L);
    }

    /** Returns the number of slots. */
    public int capacity() {
        return mask + 1;
    }
}
