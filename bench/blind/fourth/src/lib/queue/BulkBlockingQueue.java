package lib.queue;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A bounded FIFO blocking queue on top of a circular array, with a bulk removal operation.
 *
 * <p>All methods may be called from any number of threads. {@link #put} blocks while the queue is
 * full and continues as soon as there is room for its element; {@link #take} blocks while the queue
 * is empty and continues as soon as there is an element for it. No fairness between waiting
 * producers or waiting consumers is promised.
 *
 * @param <E> type of the elements, {@code null} is not permitted
 */
public class BulkBlockingQueue<E> {
    private final Object[] items;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition notEmpty = lock.newCondition();
    private final Condition notFull = lock.newCondition();
    private int head;
    private int count;

    /**
     * @param capacity maximum number of elements held, at least 1
     */
    public BulkBlockingQueue(int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException("capacity: " + capacity);
        }
        items = new Object[capacity];
    }

    /** Appends the element, waiting for room if necessary. */
    public void put(E e) throws InterruptedException {
        Objects.requireNonNull(e);
        lock.lockInterruptibly();
        try {
            while (count == items.length) {
                notFull.await();
            }
            enqueue(e);
        } finally {
            lock.unlock();
        }
    }

    /** Appends the element if there is room right now; returns whether it was appended. */
    public boolean offer(E e) {
        Objects.requireNonNull(e);
        lock.lock();
        try {
            if (count == items.length) {
                return false;
            }
            enqueue(e);
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Removes the oldest element, waiting for one if necessary. */
    public E take() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (count == 0) {
                notEmpty.await();
            }
            E e = dequeue();
            notFull.signal();
            return e;
        } finally {
            lock.unlock();
        }
    }

    /** Removes the oldest element, or returns {@code null} if the queue is empty. */
    public E poll() {
        lock.lock();
        try {
            if (count == 0) {
                return null;
            }
            E e = dequeue();
            notFull.signal();
            return e;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Removes up to {@code max} elements in one step and returns them in queue order. Never blocks
     * for elements; the list is empty if the queue was.
     */
    public List<E> drain(int max) {
        lock.lock();
        try {
            int n = Math.min(Math.max(max, 0), count);
            List<E> out = new ArrayList<>(n);
            for (int i = 0; i < n; i++) {
                out.add(dequeue());
            }
            if (n > 0) {
                notFull.signal();
            }
            return out;
        } finally {
            lock.unlock();
        }
    }

    /** Returns the current number of elements. */
    public int size() {
        lock.lock();
        try {
            return count;
        } finally {
            lock.unlock();
        }
    }

    private void enqueue(E e) {
        items[(head + count) % items.length] = e;
        count++;
        notEmpty.signal();
    }

    @SuppressWarnings("unchecked")
    private E dequeue() {
        E e = (E) items[head];
        items[head] = null;
        head = (head + 1) % items.length;
        count--;
        return e;
    }
}
