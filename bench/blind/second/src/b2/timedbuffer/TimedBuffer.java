package b2.timedbuffer;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * A bounded first-in first-out buffer with blocking and timed operations.
 *
 * <p>Thread-safe.
 */
public class TimedBuffer<E> {
    private final Deque<E> elements = new ArrayDeque<>();
    private final int capacity;

    public TimedBuffer() {
        this(1);
    }

    public TimedBuffer(int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException("capacity: " + capacity);
        }
        this.capacity = capacity;
    }

    /** Appends an element, waiting for room if necessary. */
    public synchronized void put(E element) throws InterruptedException {
        Objects.requireNonNull(element);
        while (elements.size() == capacity) {
            wait();
        }
        elements.addLast(element);
        notifyAll();
    }

    /** Appends an element if there is room; returns whether there was. */
    public synchronized boolean offer(E element) {
        Objects.requireNonNull(element);
        if (elements.size() == capacity) {
            return false;
        }
        elements.addLast(element);
        notifyAll();
        return true;
    }

    /** Removes and returns the oldest element, waiting for one if necessary. */
    public synchronized E take() throws InterruptedException {
        while (elements.isEmpty()) {
            wait();
        }
        E element = elements.removeFirst();
        notifyAll();
        return element;
    }

    /**
     * Removes and returns the oldest element, waiting for one for a limited time.
     *
     * @return the element, or null if there was none in time
     */
    public synchronized E poll(long timeoutMillis) throws InterruptedException {
        long start = System.nanoTime();
        long timeout = TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
        while (elements.isEmpty()) {
            long left = timeout - (System.nanoTime() - start);
            if (left <= 0) {
                return null;
            }
            TimeUnit.NANOSECONDS.timedWait(this, Math.max(left, 1_000_000));
        }
        E element = elements.removeFirst();
        notifyAll();
        return element;
    }

    /** Returns the number of elements. */
    public synchronized int size() {
        return elements.size();
    }
}
