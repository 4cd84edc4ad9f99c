package com.acme.queue;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A bounded first-in first-out buffer with one lock and a condition for each
 * direction. Waiting can be interrupted or limited in time. Thread-safe.
 */
public class BlockingBuffer<E> {

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition notFull = lock.newCondition();
    private final Condition notEmpty = lock.newCondition();
    private final Object[] items;
    private int first;
    private int size;

    public BlockingBuffer() {
        this(1);
    }

    public BlockingBuffer(int capacity) {
        if (capacity < 1 || capacity > 1 << 20) {
            throw new IllegalArgumentException("capacity: " + capacity);
        }
        items = new Object[capacity];
    }

    private void enqueue(E e) {
        items[(first + size) % items.length] = e;
        size++;
        notEmpty.signal();
    }

    @SuppressWarnings("unchecked")
    private E dequeue() {
        E e = (E) items[first];
        items[first] = null;
        first = (first + 1) % items.length;
        size--;
        notFull.signal();
        return e;
    }

    /** Adds an element, waiting for room. */
    public void put(E e) throws InterruptedException {
        Objects.requireNonNull(e);
        lock.lockInterruptibly();
        try {
            while (size == items.length) {
                notFull.await();
            }
            enqueue(e);
        } finally {
            lock.unlock();
        }
    }

    /** Adds an element unless the buffer is full. */
    public boolean offer(E e) {
        Objects.requireNonNull(e);
        lock.lock();
        try {
            if (size == items.length) {
                return false;
            }
            enqueue(e);
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Takes the oldest element, waiting for one. */
    public E take() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (size == 0) {
                notEmpty.await();
            }
            return dequeue();
        } finally {
            lock.unlock();
        }
    }

    /** Takes the oldest element; null if none comes in time. */
    public E poll(long timeout, TimeUnit unit) throws InterruptedException {
        long nanos = unit.toNanos(timeout);
        lock.lockInterruptibly();
        try {
            while (size == 0) {
                if (nanos <= 0) {
                    return null;
                }
                nanos = notEmpty.awaitNanos(nanos);
            }
            return dequeue();
        } finally {
            lock.unlock();
        }
    }

    /** Takes all elements at once, the oldest first. */
    public List<E> drain() {
        lock.lock();
        try {
            List<E> all = new ArrayList<>(size);
            while (size > 0) {
                all.add(dequeue());
            }
            return all;
        } finally {
            lock.unlock();
        }
    }

    public int size() {
        lock.lock();
        try {
            return size;
        } finally {
            lock.unlock();
        }
    }
}
