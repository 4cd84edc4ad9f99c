package org.fenwater.util.concurrent;

import java.util.ArrayDeque;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A bounded hand-over between producers and consumers that can be closed. After that nothing more
 * is accepted, and consumers get what is left and then {@code null}.
 *
 * @param <E> the element type
 */
public final class BoundedLane<E> {

    private final ArrayDeque<E> elements = new ArrayDeque<>();
    private final int capacity;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition notFull = lock.newCondition();
    private final Condition notEmpty = lock.newCondition();
    private boolean closed;

    public BoundedLane(int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException("capacity: " + capacity);
        }
        this.capacity = capacity;
    }

    /** Adds the element, waiting for room; returns {@code false} if the lane is closed. */
    public boolean put(E element) throws InterruptedException {
        return offer(element, Long.MAX_VALUE, TimeUnit.NANOSECONDS);
    }

    /** Adds the element, waiting for room up to the given time; returns whether it was added. */
    public boolean offer(E element, long timeout, TimeUnit unit) throws InterruptedException {
        Objects.requireNonNull(element);
        long left = unit.toNanos(timeout);
        lock.lockInterruptibly();
        try {
            while (elements.size() == capacity && !closed) {
                if (left <= 0) {
                    return false;
                }
                left = notFull.awaitNanos(left);
            }
            if (closed) {
                return false;
            }
            elements.addLast(element);
            notEmpty.signal();
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Removes the oldest element, waiting for one; {@code null} if closed and empty. */
    public E take() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (elements.isEmpty() && !closed) {
                notEmpty.await();
            }
            E element = elements.pollFirst();
            if (element != null) {
                notFull.signal();
            }
            return element;
        } finally {
            lock.unlock();
        }
    }

    public void close() {
        lock.lock();
        try {
            closed = true;
            notFull.signalAll();
            notEmpty.signalAll();
        } finally {
            lock.unlock();
        }
    }

    public int size() {
        lock.lock();
        try {
            return elements.size();
        } finally {
            lock.unlock();
        }
    }
}
