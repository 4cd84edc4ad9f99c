package b2.handoffbuffer;

import java.util.Objects;

/**
 * A buffer for one element, through which producers hand elements to consumers. {@link #put} waits
 * while the buffer is full, {@link #take} while it is empty.
 *
 * <p>Any number of producers and consumers may use the buffer concurrently.
 */
public class HandoffBuffer<E> {
    private E element;

    /** Puts an element, waiting for room if necessary. */
    public synchronized void put(E e) throws InterruptedException {
        Objects.requireNonNull(e);
        while (element != null) {
            wait();
        }
        element = e;
        notify();
    }

    /** Takes the element, waiting for one if necessary. */
    public synchronized E take() throws InterruptedException {
        while (element == null) {
            wait();
        }
        E e = element;
        element = null;
        notify();
        return e;
    }

    /** Returns the element without removing it, or null if the buffer is empty. */
    public synchronized E peek() {
        return element;
    }

    /** Tells whether the buffer is empty. */
    public synchronized boolean isEmpty() {
        return element == null;
    }
}
