package net.harborline.metrics;

import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;

/**
 * Histogram of latencies with one bucket per power of two.
 *
 * <p>Recording is lock-free and no recording is ever lost. The statistics are estimates: they are
 * read while recording goes on, hence they may miss recordings in progress, and figures read
 * together need not belong to the same moment. They are exact while nobody records.
 */
public class LatencyHistogram {

    private static final int BUCKETS = 64;

    /** Figures read from a histogram. */
    public record Summary(long count, double mean, long max, long median) {
    }

    private final AtomicLongArray buckets = new AtomicLongArray(BUCKETS);
    private final LongAdder sum = new LongAdder();
    private final LongAccumulator max = new LongAccumulator(Math::max, 0L);

    /**
     * Records a latency.
     *
     * @param micros the latency in microseconds; negative values count as 0
     */
    public void record(long micros) {
        long value = Math.max(0, micros);
        buckets.incrementAndGet(bucketOf(value));
        sum.add(value);
        max.accumulate(value);
    }

    /** Returns an estimate of the number of recordings. */
    public long count() {
        long count = 0;
        for (int i = 0; i < BUCKETS; i++) {
            count += buckets.get(i);
        }
        return count;
    }

    /** Returns an estimate of an upper bound of the given quantile. */
    public long quantile(double q) {
        if (!(q >= 0 && q <= 1)) {
            throw new IllegalArgumentException("q: " + q);
        }
        long[] copy = new long[BUCKETS];
        long count = 0;
        for (int i = 0; i < BUCKETS; i++) {
            copy[i] = buckets.get(i);
            count += copy[i];
        }
        long rank = (long) Math.ceil(q * count);
        long seen = 0;
        for (int i = 0; i < BUCKETS; i++) {
            seen += copy[i];
            if (seen >= rank && seen > 0) {
                return upperBoundOf(i);
            }
        }
        return 0;
    }

    /** Returns estimates of the most important figures. */
    public Summary summary() {
        long count = count();
        double mean = count == 0 ? 0 : (double) sum.sum() / count;
        return new Summary(count, mean, max.get(), quantile(0.5));
    }

    private static int bucketOf(long value) {
        return value == 0 ? 0 : 64 - Long.numberOfLeadingZeros(value);
    }

    private static long upperBoundOf(int bucket) {
        return bucket == 0 ? 0 : bucket >= 63 ? Long.MAX_VALUE : (1L << bucket) - 1;
    }
}
