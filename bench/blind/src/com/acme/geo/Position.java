package com.acme.geo;

import java.util.concurrent.locks.StampedLock;

/**
 * Position of a moving object on a grid, read very often. Readers get the
 * coordinates of one moment. Thread-safe.
 */
public class Position {

    /** Coordinates of one moment. */
    public record Point(int x, int y) {
    }

    private final StampedLock lock = new StampedLock();
    private int x;
    private int y;

    public Position() {
    }

    public Position(int x, int y) {
        this.x = x;
        this.y = y;
    }

    /** Goes to a place. */
    public void moveTo(int newX, int newY) {
        long stamp = lock.writeLock();
        try {
            x = newX;
            y = newY;
        } finally {
            lock.unlockWrite(stamp);
        }
    }

    /** Goes on by some steps. */
    public void moveBy(int dx, int dy) {
        long stamp = lock.writeLock();
        try {
            x += dx;
            y += dy;
        } finally {
            lock.unlockWrite(stamp);
        }
    }

    /** Where the object is. */
    public Point point() {
        long stamp = lock.tryOptimisticRead();
        if (stamp != 0) {
            return new Point(x, y);
        }
        stamp = lock.readLock();
        try {
            return new Point(x, y);
        } finally {
            lock.unlockRead(stamp);
        }
    }

    /** Distance to the origin along the grid. */
    public int gridDistance() {
        Point p = point();
        return Math.abs(p.x()) + Math.abs(p.y());
    }
}
