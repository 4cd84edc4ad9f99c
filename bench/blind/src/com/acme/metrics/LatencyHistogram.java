package com.acme.metrics;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Histogram of latencies with power-of-two buckets, written by many request
 * threads and read by the metrics reporter. Recording never blocks.
 *
 * <p>Every recorded value is counted: once all writers have returned,
 * {@link #count()} is the number of recorded values, {@link #max()} the
 * greatest of them.
 */
public class LatencyHistogram {

    private static final int BUCKETS = 64;

    private final AtomicLongArray buckets = new AtomicLongArray(BUCKETS);
    private volatile long count;
    private volatile long max;

    /**
     * Records a latency.
     *
     * @param nanos the latency; negative values count as zero
     */
    public void record(long nanos) {
        long v = Math.max(0, nanos);
        buckets.incrementAndGet(bucketOf(v));
        count++;
        if (v > max) {
            max = v;
        }
    }

    private static int bucketOf(long v) {
        return v == 0 ? 0 : 64 - Long.numberOfLeadingZeros(v);
    }

    /** Number of values recorded. */
    public long count() {
        return count;
    }

    /** Greatest value recorded, 0 if none. */
    public long max() {
        return max;
    }

    /** Upper bound of the bucket holding the given quantile; an estimate. */
    public long quantile(double q) {
        if (q < 0 || q > 1) {
            throw new IllegalArgumentException("quantile: " + q);
        }
        long total = 0;
        for (int i = 0; i < BUCKETS; i++) {
            total += buckets.get(i);
        }
        long rank = (long) Math.ceil(q * total);
        long seen = 0;
        for (int i = 0; i < BUCKETS; i++) {
            seen += buckets.get(i);
            if (seen >= rank && seen > 0) {
                return i == 0 ? 0 : (1L << i) - 1;
            }
        }
        return 0;
    }
}
