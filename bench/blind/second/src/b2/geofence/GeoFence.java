package b2.geofence;

import java.util.concurrent.locks.StampedLock;

/**
 * A rectangle that can be moved and resized while many threads query it.
 *
 * <p>Thread-safe; every method is atomic.
 */
public class GeoFence {
    private final StampedLock lock = new StampedLock();
    private int left;
    private int top;
    private int right;
    private int bottom;

    public GeoFence() {
        this(0, 0, 10, 10);
    }

    public GeoFence(int left, int top, int right, int bottom) {
        requireOrdered(left, top, right, bottom);
        this.left = left;
        this.top = top;
        this.right = right;
        this.bottom = bottom;
    }

    /** Replaces the rectangle. */
    public void set(int newLeft, int newTop, int newRight, int newBottom) {
        requireOrdered(newLeft, newTop, newRight, newBottom);
        long stamp = lock.writeLock();
        try {
            left = newLeft;
            top = newTop;
            right = newRight;
            bottom = newBottom;
        } finally {
            lock.unlockWrite(stamp);
        }
    }

    /** Tells whether the point is inside. */
    public boolean contains(int x, int y) {
        long stamp = lock.tryOptimisticRead();
        boolean inside = left <= x && x <= right && top <= y && y <= bottom;
        if (lock.validate(stamp)) {
            return inside;
        }
        stamp = lock.readLock();
        try {
            return left <= x && x <= right && top <= y && y <= bottom;
        } finally {
            lock.unlockRead(stamp);
        }
    }

    /** Returns the area. */
    public long area() {
        long stamp = lock.tryOptimisticRead();
        long width = (long) right - left;
        long height = (long) bottom - top;
        if (!lock.validate(stamp)) {
            stamp = lock.readLock();
            try {
                width = (long) right - left;
                height = (long) bottom - top;
            } finally {
                lock.unlockRead(stamp);
            }
        }
        return width * height;
    }

    /** Moves the right border if that makes the rectangle larger; returns whether it did. */
    public boolean growRight(int newRight) {
        long stamp = lock.readLock();
        try {
            while (newRight > right) {
                long write = lock.tryConvertToWriteLock(stamp);
                if (write != 0) {
                    stamp = write;
                    right = newRight;
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

    private static void requireOrdered(int left, int top, int right, int bottom) {
        if (left > right || top > bottom) {
            throw new IllegalArgumentException("empty rectangle");
        }
    }
}
