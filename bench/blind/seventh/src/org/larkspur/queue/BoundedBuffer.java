package org.larkspur.queue;

import java.util.Objects;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A first-in first-out buffer with a fixed capacity. Producers wait for space, consumers wait for
 * elements.
 *
 * @param <E> the element type
 */
public class BoundedBuffer<E> {

    private final Object[] items;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition notEmpty = lock.newCondition();
    private final Condition notFull = lock.newCondition();

    private int putIndex;
    private int takeIndex;
    private int count;

    /**
     * Creates a buffer.
     *
     * @param capacity the maximum number of elements, positive
     */
    public BoundedBuffer(int capacity) {
        if (capacity <= 0) {
            throw new IllegalArgumentException("capacity: " + capacity);
        }
        this.items = new Object[capacity];
    }

    /**
     * Inserts an element, waiting for space to become available.
     *
     * @param item the element, not null
     * @throws InterruptedException if interrupted while waiting
     */
    public void put(E item) throws InterruptedException {
        Objects.requireNonNull(item, "item");
        lock.lockInterruptibly();
        try {
            while (count == items.length) {
                notFull.await();
            }
            items[putIndex] = item;
            putIndex = next(putIndex);
            if (++count == 1) {
                notEmpty.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Removes the oldest element, waiting for one to become available.
     *
     * @return the element
     * @throws InterruptedException if interrupted while waiting
     */
    @SuppressWarnings("unchecked")
    public E take() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (count == 0) {
                notEmpty.await();
            }
            E item = (E) items[takeIndex];
            items[takeIndex] = null;
            takeIndex = next(takeIndex);
            count--;
            notFull.signal();
            return item;
        } finally {
            lock.unlock();
        }
    }

    /** Returns the number of elements. */
    public int size() {
        lock.lock();
        try {
            return count;
        } finally {
            lock.unlock();
        }
    }

    /** Returns the number of further elements that can be put without waiting. */
    public int remainingCapacity() {
        lock.lock();
        try {
            return items.length - count;
        } finally {
            lock.unlock();
        }
    }

    private int next(int index) {
        return index + 1 == items.length ? 0 : index + 1;
    }
}
