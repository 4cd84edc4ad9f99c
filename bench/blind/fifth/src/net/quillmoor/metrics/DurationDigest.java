package net.quillmoor.metrics;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;

/**
 * Collects durations in buckets that double in width.
 *
 * <p>Thread-safe; no duration is lost. The figures are approximations when read while durations are
 * being added: count, sum, maximum and buckets are kept separately, and a duration may show in some
 * of them before it shows in the others. They agree once all additions have returned.
 */
public final class DurationDigest {

    private static final int BUCKETS = 40;

    /**
     * Figures read one after another.
     *
     * @param count the number of durations
     * @param mean their mean, zero if there are none
     * @param max the longest one
     * @param median an upper bound of the median, exact to a factor of two
     */
    public record Figures(long count, double mean, long max, long median) {
    }

    private final AtomicLongArray buckets = new AtomicLongArray(BUCKETS);
    private final LongAdder count = new LongAdder();
    private final LongAdder sum = new LongAdder();
    private final AtomicLong max = new AtomicLong();

    /** Creates an empty digest. */
    public DurationDigest() {
    }

    /** Adds a duration; negative ones count as zero. */
    public void add(long micros) {
        long duration = Math.max(0, micros);
        buckets.incrementAndGet(bucketOf(duration));
        sum.add(duration);
        count.increment();
        long seen = max.get();
        while (duration > seen && !max.compareAndSet(seen, duration)) {
            seen = max.get();
        }
    }

    /** Returns the number of durations added. */
    public long count() {
        return count.sum();
    }

    /** Returns the longest duration. */
    public long max() {
        return max.get();
    }

    /**
     * Returns an upper bound of a quantile, exact to a factor of two.
     *
     * @param q the quantile, between zero and one
     */
    public long quantile(double q) {
        if (!(q >= 0 && q <= 1)) {
            throw new IllegalArgumentException("q: " + q);
        }
        long[] copy = new long[BUCKETS];
        long total = 0;
        for (int i = 0; i < BUCKETS; i++) {
            copy[i] = buckets.get(i);
            total += copy[i];
        }
        if (total == 0) {
            return 0;
        }
        long rank = Math.max(1, (long) Math.ceil(q * total));
        long below = 0;
        int bucket = 0;
        while (bucket < BUCKETS - 1 && (below += copy[bucket]) < rank) {
            bucket++;
        }
        return bucket == 0 ? 0 : (1L << bucket) - 1;
    }

    /** Returns the figures; see the class comment about their precision. */
    public Figures figures() {
        long n = count.sum();
        double mean = n == 0 ? 0 : (double) sum.sum() / n;
        return new Figures(n, mean, max.get(), quantile(0.5));
    }

    private static int bucketOf(long duration) {
        return Math.min(BUCKETS - 1, Long.SIZE - Long.numberOfLeadingZeros(duration));
    }
}
