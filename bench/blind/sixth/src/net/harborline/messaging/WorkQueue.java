package net.harborline.messaging;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Bounded queue of work items for any number of producers and consumers.
 *
 * @param <W> type of the items
 */
public class WorkQueue<W> {

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition notEmpty = lock.newCondition();
    private final Condition notFull = lock.newCondition();
    private final Object[] items;
    private int first;
    private int count;

    public WorkQueue(int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException("capacity: " + capacity);
        }
        this.items = new Object[capacity];
    }

    /** Adds an item, waiting for room if necessary. */
    public void put(W item) throws InterruptedException {
        Objects.requireNonNull(item, "item");
        lock.lockInterruptibly();
        try {
            while (count == items.length) {
                notFull.await();
            }
            enqueue(item);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Adds an item, waiting for room up to the given time.
     *
     * @return {@code false} if the time has passed without there being room
     */
    public boolean offer(W item, long timeout, TimeUnit unit) throws InterruptedException {
        Objects.requireNonNull(item, "item");
        long nanos = unit.toNanos(timeout);
        lock.lockInterruptibly();
        try {
            while (count == items.length) {
                if (nanos <= 0) {
                    return false;
                }
                nanos = notFull.awaitNanos(nanos);
            }
            enqueue(item);
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Takes the oldest item, waiting for one if necessary. */
    public W take() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (count == 0) {
                notEmpty.await();
            }
            return dequeue();
        } finally {
            lock.unlock();
        }
    }

    /** Takes up to the given number of items without waiting. */
    public List<W> drain(int max) {
        List<W> result = new ArrayList<>();
        lock.lock();
        try {
            while (count > 0 && result.size() < max) {
                result.add(dequeue());
            }
        } finally {
            lock.unlock();
        }
        return result;
    }

    /** Returns the number of items in the queue. */
    public int size() {
        lock.lock();
        try {
            return count;
        } finally {
            lock.unlock();
        }
    }

    private void enqueue(W item) {
        items[(first + count) % items.length] = item;
        count++;
        notEmpty.signal();
    }

    @SuppressWarnings("unchecked")
    private W dequeue() {
        W item = (W) items[first];
        items[first] = null;
        first = (first + 1) % items.length;
        count--;
        notFull.signal();
        return item;
    }
}
