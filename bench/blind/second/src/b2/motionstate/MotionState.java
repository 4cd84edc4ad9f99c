package b2.motionstate;

import java.util.concurrent.locks.StampedLock;

/**
 * The position of a moving object, read far more often than written.
 *
 * <p>Thread-safe: readers always see a position that the object really had.
 */
public class MotionState {
    private final StampedLock lock = new StampedLock();
    private long x;
    private long y;
    private long moves;

    /** Moves the object to a new position. */
    public void moveTo(long newX, long newY) {
        long stamp = lock.writeLock();
        try {
            x = newX;
            y = newY;
            moves++;
        } finally {
            lock.unlockWrite(stamp);
        }
    }

    /** Moves the object by a distance. */
    public void moveBy(long dx, long dy) {
        long stamp = lock.writeLock();
        try {
            x += dx;
            y += dy;
            moves++;
        } finally {
            lock.unlockWrite(stamp);
        }
    }

    /** Returns the current position. */
    public Position position() {
        long stamp = lock.tryOptimisticRead();
        if (stamp != 0) {
            return new Position(x, y);
        }
        stamp = lock.readLock();
        try {
            return new Position(x, y);
        } finally {
            lock.unlockRead(stamp);
        }
    }

    /** Returns the number of moves so far. */
    public long moves() {
        long stamp = lock.readLock();
        try {
            return moves;
        } finally {
            lock.unlockRead(stamp);
        }
    }
}
