package b2.latestvaluetopic;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** The values that a subscriber has received and not yet polled. */
public final class Subscription<T> {
    private final Queue<T> received = new ConcurrentLinkedQueue<>();

    void deliver(T value) {
        received.add(value);
    }

    /** Removes and returns the oldest value, or null if there is none. */
    public T poll() {
        return received.poll();
    }

    /** Tells whether there is no value. */
    public boolean isEmpty() {
        return received.isEmpty();
    }
}
