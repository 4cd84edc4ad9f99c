package net.quillon.core.metrics;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Keeps the number of samples recorded under a name together with the lowest and the highest of
 * them. Recording is lock-free and safe from any thread.
 */
public final class PeakRecorder {

    private final String name;
    private final AtomicLong samples = new AtomicLong();
    private final AtomicLong lowest = new AtomicLong(Long.MAX_VALUE);
    private final AtomicLong highest = new AtomicLong(Long.MIN_VALUE);

    public PeakRecorder(String name) {
        this.name = name;
    }

    public void record(long value) {
        lower(value);
        raise(value);
        samples.incrementAndGet();
    }

    public String name() {
        return name;
    }

    public long samples() {
        return samples.get();
    }

    /** The lowest sample so far, or {@code Long.MAX_VALUE} if there is none. */
    public long lowest() {
        return lowest.get();
    }

    /** The highest sample so far, or {@code Long.MIN_VALUE} if there is none. */
    public long highest() {
        return highest.get();
    }

    private void lower(long value) {
        long seen = lowest.get();
        while (value < seen) {
            if (lowest.compareAndSet(seen, value)) {
                return;
            }
            seen = lowest.get();
        }
    }

    private void raise(long value) {
        long seen = highest.get();
        while (value > seen && !highest.compareAndSet(seen, value)) {
            Thread.onSpinWait();
        }
    }
}
