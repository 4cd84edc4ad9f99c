package org.larkspur.metrics;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * Records values and summarizes them as count, sum and maximum.
 *
 * <p>Thread-safe. Recorders do not block each other. A {@link Summary} is consistent: its figures
 * all belong to the same set of recorded values.
 */
public class SummaryMeter {

    /** The state of a meter at one point in time. */
    public static final class Summary {
        private final long count;
        private final long sum;
        private final long max;

        Summary(long count, long sum, long max) {
            this.count = count;
            this.sum = sum;
            this.max = max;
        }

        /** Returns the number of values. */
        public long count() {
            return count;
        }

        /** Returns the sum of the values. */
        public long sum() {
            return sum;
        }

        /** Returns the largest value, zero if there are none. */
        public long max() {
            return max;
        }

        /** Returns the mean of the values, zero if there are none. */
        public double mean() {
            return count == 0 ? 0.0 : (double) sum / count;
        }
    }

    private final ReadWriteLock lock = new ReentrantReadWriteLock();
    private final AtomicLong count = new AtomicLong();
    private final AtomicLong sum = new AtomicLong();
    private final AtomicLong max = new AtomicLong();

    /**
     * Records a value.
     *
     * @param value the value, not negative
     */
    public void record(long value) {
        if (value < 0) {
            throw new IllegalArgumentException("value: " + value);
        }
        lock.readLock().lock();
        try {
            count.incrementAndGet();
            sum.addAndGet(value);
            max.accumulateAndGet(value, Math::max);
        } finally {
            lock.readLock().unlock();
        }
    }

    /** Returns a summary of the values recorded since creation or the last reset. */
    public Summary summary() {
        lock.readLock().lock();
        try {
            return new Summary(count.get(), sum.get(), max.get());
        } finally {
            lock.readLock().unlock();
        }
    }

    /** Forgets all values and returns their summary. */
    public Summary reset() {
        lock.writeLock().lock();
        try {
            return new Summary(count.getAndSet(0), sum.getAndSet(0), max.getAndSet(0));
        } finally {
            lock.writeLock().unlock();
        }
    }
}
