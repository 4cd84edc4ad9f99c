package org.fenwater.util;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * A bounded FIFO buffer on a ring of slots. Any number of threads may offer and poll; offers never
 * wait for a lock.
 *
 * @param <E> the element type
 */
public final class EventRing<E> {

    private final AtomicReferenceArray<E> slots;
    private final int mask;
    private final AtomicLong tail = new AtomicLong();
    private final AtomicLong head = new AtomicLong();
    private final Object pollLock = new Object();

    /** Creates a ring with room for at least {@code minCapacity} elements. */
    public EventRing(int minCapacity) {
        if (minCapacity < 1 || minCapacity > 1 << 24) {
            throw new IllegalArgumentException("minCapacity: " + minCapacity);
        }
        int capacity = Integer.highestOneBit(minCapacity * 2 - 1);
        slots = new AtomicReferenceArray<>(capacity);
        mask = capacity - 1;
    }

    /** Appends the element, or returns {@code false} if the ring is full. */
    public boolean offer(E element) {
        Objects.requireNonNull(element);
        long position;
        do {
            position = tail.get();
            if (position - head.get() > mask) {
                return false;
            }
        } while (!tail.compareAndSet(position, position + 1));
        slots.set((int) position & mask, element);
        return true;
    }

    /** Removes the oldest element, or returns {@code null} if the ring is empty. */
    public E poll() {
        synchronized (pollLock) {
            long position = head.get();
            if (position == tail.get()) {
                return null;
            }
            E element = slots.getAndSet((int) position & mask, null);
            head.set(position + 1);
            return element;
        }
    }

    /** Removes up to {@code max} elements, oldest first. */
    public List<E> drain(int max) {
        List<E> drained = new ArrayList<>();
        E element;
        while (drained.size() < max && (element = poll()) != null) {
            drained.add(element);
        }
        return drained;
    }

    public int capacity() {
        return mask + 1;
    }
}
