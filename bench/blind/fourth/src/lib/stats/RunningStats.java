package lib.stats;

import java.util.concurrent.locks.StampedLock;

/**
 * Collects count, sum, minimum and maximum of a stream of values.
 *
 * <p>Thread-safe. {@link #add}, {@link #reset}, {@link #snapshot} and the single getters are atomic; the
 * components of a {@link Snapshot} always belong together. {@link #merge} adds a snapshot of the other
 * collector atomically to this one, the two collectors are never locked together.
 */
public class RunningStats {

    /** A consistent view of the collected values; min and max are 0 if there are none. */
    public record Snapshot(long count, long sum, long min, long max) {
        /** Returns the arithmetic mean, or NaN if there are no values. */
        public double mean() {
            return count == 0 ? Double.NaN : (double) sum / count;
        }
    }

    private final StampedLock lock = new StampedLock();
    private long count;
    private long sum;
    private long min;
    private long max;

    /** Adds one value. */
    public void add(long value) {
        long stamp = lock.writeLock();
        try {
            absorb(1, value, value, value);
        } finally {
            lock.unlockWrite(stamp);
        }
    }

    /** Adds all values the other collector has at some time during this call. */
    public void merge(RunningStats other) {
        Snapshot s = other.snapshot();
        if (s.count() == 0) {
            return;
        }
        long stamp = lock.writeLock();
        try {
            absorb(s.count(), s.sum(), s.min(), s.max());
        } finally {
            lock.unlockWrite(stamp);
        }
    }

    /** Forgets all values and returns what was collected up to then. */
    public Snapshot reset() {
        long stamp = lock.writeLock();
        try {
            Snapshot s = new Snapshot(count, sum, min, max);
            count = 0;
            sum = 0;
            min = 0;
            max = 0;
            return s;
        } finally {
            lock.unlockWrite(stamp);
        }
    }

    /** Returns what has been collected. */
    public Snapshot snapshot() {
        long stamp = lock.tryOptimisticRead();
        long c = count;
        long s = sum;
        long lo = min;
        long hi = max;
        if (!lock.validate(stamp)) {
            stamp = lock.readLock();
            try {
                c = count;
                s = sum;
                lo = min;
                hi = max;
            } finally {
                lock.unlockRead(stamp);
            }
        }
        return new Snapshot(c, s, lo, hi);
    }

    /** Returns the difference between the greatest and the least value, 0 if there are no values. */
    public long spread() {
        Snapshot s = snapshot();
        return s.max() - s.min();
    }

    private void absorb(long moreCount, long moreSum, long lo, long hi) {
        min = count == 0 ? lo : Math.min(min, lo);
        max = count == 0 ? hi : Math.max(max, hi);
        count += moreCount;
        sum += moreSum;
    }
}
