package org.larkspur.queue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A bounded buffer whose users wait for a limited time.
 *
 * <p>All methods are atomic with respect to each other, except that {@link #drainTo} adds the
 * elements to the target collection after having removed them from the buffer.
 *
 * @param <E> the element type
 */
public class TimedBuffer<E> {

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition hasElements = lock.newCondition();
    private final Condition hasSpace = lock.newCondition();
    private final ArrayDeque<E> elements = new ArrayDeque<>();
    private final int capacity;

    /**
     * Creates a buffer.
     *
     * @param capacity the maximum number of elements
     */
    public TimedBuffer(int capacity) {
        if (capacity <= 0) {
            throw new IllegalArgumentException("capacity: " + capacity);
        }
        this.capacity = capacity;
    }

    /**
     * Adds an element, waiting for space if necessary.
     *
     * @param element the element, not null
     * @param timeout how long to wait
     * @param unit the unit of the timeout
     * @return false if the time has elapsed before there was space
     * @throws InterruptedException if interrupted while waiting
     */
    public boolean offer(E element, long timeout, TimeUnit unit) throws InterruptedException {
        Objects.requireNonNull(element, "element");
        long remaining = unit.toNanos(timeout);
        lock.lockInterruptibly();
        try {
            while (elements.size() >= capacity) {
                if (remaining <= 0) {
                    return false;
                }
                remaining = hasSpace.awaitNanos(remaining);
            }
            elements.addLast(element);
            hasElements.signal();
            return true;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Removes the oldest element, waiting for one if necessary.
     *
     * @param timeout how long to wait
     * @param unit the unit of the timeout
     * @return the element or null if the time has elapsed before there was one
     * @throws InterruptedException if interrupted while waiting
     */
    public E poll(long timeout, TimeUnit unit) throws InterruptedException {
        long remaining = unit.toNanos(timeout);
        lock.lockInterruptibly();
        try {
            while (elements.isEmpty()) {
                if (remaining <= 0) {
                    return null;
                }
                remaining = hasElements.awaitNanos(remaining);
            }
            E element = elements.pollFirst();
            hasSpace.signal();
            return element;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Moves all elements to a collection.
     *
     * @param target the collection
     * @return the number of elements
     */
    public int drainTo(Collection<? super E> target) {
        Objects.requireNonNull(target, "target");
        List<E> drained;
        lock.lock();
        try {
            drained = new ArrayList<>(elements);
            elements.clear();
            hasSpace.signalAll();
        } finally {
            lock.unlock();
        }
        target.addAll(drained);
        return drained.size();
    }

    /** Returns the number of elements. */
    public int size() {
        lock.lock();
        try {
            return elements.size();
        } finally {
            lock.unlock();
        }
    }
}
