package net.harborline.geo;

import java.util.concurrent.locks.StampedLock;

/**
 * Smallest upright rectangle around a growing set of points, for example the positions reported
 * by a fleet. May be shared between threads.
 */
public class BoundingBox {

    private final StampedLock lock = new StampedLock();

    private double minX;
    private double minY;
    private double maxX;
    private double maxY;

    public BoundingBox() {
        clear();
    }

    /**
     * Extends the box to a point.
     *
     * @return whether the box has grown
     */
    public boolean include(double x, double y) {
        if (Double.isNaN(x) || Double.isNaN(y)) {
            throw new IllegalArgumentException("NaN");
        }
        long stamp = lock.tryOptimisticRead();
        if (stamp != 0 && covers(x, y) && lock.validate(stamp)) {
            return false;
        }
        stamp = lock.writeLock();
        try {
            if (covers(x, y)) {
                return false;
            }
            minX = Math.min(minX, x);
            minY = Math.min(minY, y);
            maxX = Math.max(maxX, x);
            maxY = Math.max(maxY, y);
            return true;
        } finally {
            lock.unlockWrite(stamp);
        }
    }

    /** Tells whether a point lies within the box. */
    public boolean contains(double x, double y) {
        long stamp = lock.tryOptimisticRead();
        boolean result = covers(x, y);
        if (!lock.validate(stamp)) {
            stamp = lock.readLock();
            try {
                result = covers(x, y);
            } finally {
                lock.unlockRead(stamp);
            }
        }
        return result;
    }

    /** Returns the area of the box, 0 if it is empty. */
    public double area() {
        long stamp = lock.tryOptimisticRead();
        double width = maxX - minX;
        double height = maxY - minY;
        if (!lock.validate(stamp)) {
            stamp = lock.readLock();
            try {
                width = maxX - minX;
                height = maxY - minY;
            } finally {
                lock.unlockRead(stamp);
            }
        }
        return width < 0 || height < 0 ? 0 : width * height;
    }

    /** Makes the box empty. */
    public final void clear() {
        long stamp = lock.writeLock();
        try {
            minX = Double.POSITIVE_INFINITY;
            minY = Double.POSITIVE_INFINITY;
            maxX = Double.NEGATIVE_INFINITY;
            maxY = Double.NEGATIVE_INFINITY;
        } finally {
            lock.unlockWrite(stamp);
        }
    }

    private boolean covers(double x, double y) {
        return x >= minX && x <= maxX && y >= minY && y <= maxY;
    }
}
