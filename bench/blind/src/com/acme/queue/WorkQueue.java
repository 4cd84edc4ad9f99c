package com.acme.queue;

import java.util.ArrayDeque;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * An unbounded blocking queue between request threads and workers. Workers are
 * only signalled when the queue stops being empty, which keeps the cost of
 * adding low under load. Thread-safe.
 */
public class WorkQueue<W> {

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition notEmpty = lock.newCondition();
    private final Queue<W> queue = new ArrayDeque<>();
    private long added;

    /** Adds a piece of work. */
    public void put(W work) {
        Objects.requireNonNull(work);
        lock.lock();
        try {
            boolean wasEmpty = queue.isEmpty();
            queue.add(work);
            added++;
            if (wasEmpty) {
                notEmpty.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Takes the oldest piece of work, waiting for one. */
    public W take() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (queue.isEmpty()) {
                notEmpty.await();
            }
            return queue.remove();
        } finally {
            lock.unlock();
        }
    }

    /** Takes the oldest piece of work or returns null. */
    public W poll() {
        lock.lock();
        try {
            return queue.poll();
        } finally {
            lock.unlock();
        }
    }

    public int size() {
        lock.lock();
        try {
            return queue.size();
        } finally {
            lock.unlock();
        }
    }

    /** Pieces of work added so far. */
    public long added() {
        lock.lock();
        try {
            return added;
        } finally {
            lock.unlock();
        }
    }
}
