package b2.telemetryring;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * A bounded lock-free queue of samples for any number of producers and consumers.
 *
 * <p>Thread-safe. A full ring rejects samples; an accepted one is polled exactly once, in order.
 */
public class TelemetryRing<E> {
    private final int capacity;
    private final AtomicReferenceArray<E> slots;
    private final AtomicLong head = new AtomicLong();
    private final AtomicLong tail = new AtomicLong();

    public TelemetryRing() {
        this(4);
    }

    public TelemetryRing(int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException("capacity: " + capacity);
        }
        this.capacity = capacity;
        this.slots = new AtomicReferenceArray<>(capacity);
    }

    /**
     * Adds a sample at the end.
     *
     * @return false if the ring is full
     */
    public boolean offer(E sample) {
        if (sample == null) {
            throw new NullPointerException("sample");
        }
        while (true) {
            long t = tail.get();
            if (t - head.get() >= capacity) {
                return false;
            }
            if (tail.compareAndSet(t, t + 1)) {
                slots.set((int) (t % capacity), sample);
                return true;
            }
        }
    }

    /** Removes and returns the oldest sample, or returns null if the ring is empty. */
    public E poll() {
        while (true) {
            long h = head.get();
            if (h >= tail.get()) {
                return null;
            }
            E sample = slots.get((int) (h % capacity));
            if (head.compareAndSet(h, h + 1)) {
                return sample;
            }
        }
    }

    /** Tells whether the ring is empty. */
    public boolean isEmpty() {
        return head.get() >= tail.get();
    }
}
