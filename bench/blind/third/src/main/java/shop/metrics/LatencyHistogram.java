package shop.metrics;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts how long requests take, in buckets with fixed upper bounds.
 *
 * <p>Thread-safe; recording does not block. Every value recorded is counted once. The figures of a
 * {@link Snapshot} that is taken while values are being recorded may each include or lack some of
 * these values, so they need not agree with each other; they are exact when no recording is in
 * progress.
 */
public final class LatencyHistogram {

    /**
     * The figures of a histogram.
     *
     * @param counts the number of values in each bucket, the last one having no upper bound
     * @param sum the sum of the values
     * @param max the greatest value, zero if there is none
     */
    public record Snapshot(long[] counts, long sum, long max) {

        /** Returns the number of values. */
        public long count() {
            return Arrays.stream(counts).sum();
        }

        /** Returns the average of the values, zero if there is none. */
        public double mean() {
            long count = count();
            return count == 0 ? 0 : (double) sum / count;
        }
    }

    private final long[] bounds;
    private final AtomicLongArray counts;
    private final LongAdder sum = new LongAdder();
    private final LongAccumulator max = new LongAccumulator(Math::max, 0);

    /**
     * Creates an empty histogram.
     *
     * @param bounds the greatest value of each bucket but the last, in ascending order
     */
    public LatencyHistogram(long... bounds) {
        this.bounds = bounds.clone();
        for (int i = 1; i < bounds.length; i++) {
            if (this.bounds[i - 1] >= this.bounds[i]) {
                throw new IllegalArgumentException("bounds are not ascending");
            }
        }
        this.counts = new AtomicLongArray(bounds.length + 1);
    }

    /** Creates a histogram whose bounds are the powers of two below {@code 2^exponents}. */
    public static LatencyHistogram powersOfTwo(int exponents) {
        long[] bounds = new long[exponents];
        for (int i = 0; i < exponents; i++) {
            bounds[i] = 1L << i;
        }
        return new LatencyHistogram(bounds);
    }

    /**
     * Counts a value.
     *
     * @throws IllegalArgumentException if it is negative
     */
    public void record(long value) {
        if (value < 0) {
            throw new IllegalArgumentException("value: " + value);
        }
        int index = Arrays.binarySearch(bounds, value);
        counts.incrementAndGet(index >= 0 ? index : -index - 1);
        sum.add(value);
        max.accumulate(value);
    }

    /** Returns the number of values recorded, subject to the same restriction as a snapshot. */
    public long count() {
        long total = 0;
        for (int i = 0; i < counts.length(); i++) {
            total += counts.get(i);
        }
        return total;
    }

    /** Returns the figures as they are now. */
    public Snapshot snapshot() {
        long[] copy = new long[counts.length()];
        for (int i = 0; i < copy.length; i++) {
            copy[i] = counts.get(i);
        }
        return new Snapshot(copy, sum.sum(), max.get());
    }
}
