package org.larkspur.metrics;

import java.util.concurrent.locks.StampedLock;

/**
 * Keeps track of the smallest and the largest of a series of values.
 */
public class StampedRange {

    private final StampedLock lock = new StampedLock();
    private long min = Long.MAX_VALUE;
    private long max = Long.MIN_VALUE;

    /** Creates an empty range. */
    public StampedRange() {
    }

    /**
     * Extends the range so that it includes a value.
     *
     * @param value the value
     * @return true if the range was changed
     */
    public boolean include(long value) {
        long stamp = lock.tryOptimisticRead();
        if (stamp != 0) {
            boolean inside = min <= value && value <= max;
            if (lock.validate(stamp) && inside) {
                return false;
            }
        }
        stamp = lock.readLock();
        try {
            while (value < min || value > max) {
                long converted = lock.tryConvertToWriteLock(stamp);
                if (converted != 0) {
                    stamp = converted;
                    min = Math.min(min, value);
                    max = Math.max(max, value);
                    return true;
                }
                lock.unlockRead(stamp);
                stamp = lock.writeLock();
            }
            return false;
        } finally {
            lock.unlock(stamp);
        }
    }

    /**
     * Returns the difference of the largest and the smallest value.
     *
     * @return the width, -1 if the range is empty
     */
    public long width() {
        long stamp = lock.tryOptimisticRead();
        long low = min;
        long high = max;
        if (!lock.validate(stamp)) {
            stamp = lock.readLock();
            try {
                low = min;
                high = max;
            } finally {
                lock.unlockRead(stamp);
            }
        }
        return low > high ? -1 : high - low;
    }

    /**
     * Returns the smallest and the largest value.
     *
     * @return an array of two elements, an empty one if the range is empty
     */
    public long[] bounds() {
        for (int attempt = 0; attempt < 3; attempt++) {
            long stamp = lock.tryOptimisticRead();
            if (stamp != 0) {
                long low = min;
                long high = max;
                if (lock.validate(stamp)) {
                    return bounds(low, high);
                }
            }
            Thread.onSpinWait();
        }
        long stamp = lock.readLock();
        try {
            return bounds(min, max);
        } finally {
            lock.unlockRead(stamp);
        }
    }

    /** Makes the range empty. */
    public void reset() {
        long stamp = lock.writeLock();
        try {
            min = Long.MAX_VALUE;
            max = Long.MIN_VALUE;
        } finally {
            lock.unlockWrite(stamp);
        }
    }

    private static long[] bounds(long low, long high) {
        return low > high ? new long[0] : new long[] {low, high};
    }
}
