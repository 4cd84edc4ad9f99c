package com.acme.ring;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * A bounded wait-free queue for exactly one producer thread and exactly one
 * consumer thread.
 *
 * <p><b>Not</b> safe for several producers or several consumers: {@link #offer}
 * may be called by one thread at a time only, {@link #poll} and {@link #peek}
 * likewise; an offer and a poll may overlap.
 */
public class SpscRing<E> {

    private final AtomicReferenceArray<E> slots;
    private final int mask;
    private final AtomicLong head = new AtomicLong();
    private final AtomicLong tail = new AtomicLong();

    public SpscRing() {
        this(4);
    }

    /**
     * @param capacity rounded up to a power of two
     */
    public SpscRing(int capacity) {
        if (capacity < 1 || capacity > 1 << 20) {
            throw new IllegalArgumentException("capacity: " + capacity);
        }
        int n = Integer.highestOneBit(capacity);
        n = n == capacity ? n : n << 1;
        slots = new AtomicReferenceArray<>(n);
        mask = n - 1;
    }

    /** Producer only: adds an element, false if the ring is full. */
    public boolean offer(E e) {
        Objects.requireNonNull(e);
        long t = tail.get();
        if (t - head.get() > mask) {
            return false;
        }
        slots.set((int) t & mask, e);
        tail.set(t + 1);
        return true;
    }

    /** Consumer only: takes the oldest element, null if there is none. */
    public E poll() {
        long h = head.get();
        if (h == tail.get()) {
            return null;
        }
        int i = (int) h & mask;
        E e = slots.get(i);
        slots.set(i, null);
        head.set(h + 1);
        return e;
    }

    /** Consumer only: the oldest element, null if there is none. */
    public E peek() {
        long h = head.get();
        return h == tail.get() ? null : slots.get((int) h & mask);
    }

    public int capacity() {
        return mask + 1;
    }
}
