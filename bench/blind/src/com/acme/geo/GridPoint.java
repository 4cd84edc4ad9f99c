package com.acme.geo;

import java.util.concurrent.locks.StampedLock;

/**
 * A point on a grid that is read optimistically: a read is repeated under the
 * read lock if a write happened meanwhile. Thread-safe.
 */
public class GridPoint {

    private final StampedLock lock = new StampedLock();
    private int x;
    private int y;

    /** Sets both coordinates. */
    public void set(int newX, int newY) {
        long stamp = lock.writeLock();
        try {
            x = newX;
            y = newY;
        } finally {
            lock.unlockWrite(stamp);
        }
    }

    /**
     * Moves the point if it is at the expected place.
     *
     * @return whether it was there
     */
    public boolean moveIfAt(int expectedX, int expectedY, int newX, int newY) {
        long stamp = lock.readLock();
        try {
            while (x == expectedX && y == expectedY) {
                long ws = lock.tryConvertToWriteLock(stamp);
                if (ws != 0) {
                    stamp = ws;
                    x = newX;
                    y = newY;
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

    /** Distance to the origin along the grid. */
    public long gridDistance() {
        long stamp = lock.tryOptimisticRead();
        int cx = x;
        int cy = y;
        if (!lock.validate(stamp)) {
            stamp = lock.readLock();
            try {
                cx = x;
                cy = y;
            } finally {
                lock.unlockRead(stamp);
            }
        }
        return Math.abs((long) cx) + Math.abs((long) cy);
    }

    /** Both coordinates of one moment. */
    @Override
    public String toString() {
        int cx;
        int cy;
        for (;;) {
            long stamp = lock.tryOptimisticRead();
            if (stamp == 0) {
                Thread.onSpinWait();
                continue;
            }
            cx = x;
            cy = y;
            if (lock.validate(stamp)) {
                return "(" + cx + "," + cy + ")";
            }
        }
    }
}
