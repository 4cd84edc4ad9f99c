package com.acme.seq;

/**
 * A pair of numbers under a sequence lock: writers exclude each other, readers
 * never block them and read again when the version has changed meanwhile.
 * Thread-safe; a reader gets two numbers of the same update.
 */
public class VersionedPair {

    /** Both numbers. */
    public record Pair(long left, long right) {
    }

    private volatile long version;
    private volatile long left;
    private volatile long right;

    /** Sets both numbers. */
    public synchronized void set(long newLeft, long newRight) {
        version = version + 1;
        left = newLeft;
        right = newRight;
        version = version + 1;
    }

    /** Adds to both numbers. */
    public synchronized void add(long toLeft, long toRight) {
        set(left + toLeft, right + toRight);
    }

    /** Exchanges the numbers. */
    public synchronized void swap() {
        set(right, left);
    }

    /** Both numbers of one moment. */
    public Pair get() {
        for (;;) {
            long before = version;
            if ((before & 1) != 0) {
                Thread.onSpinWait();
                continue;
            }
            long l = left;
            long r = right;
            if (version == before) {
                return new Pair(l, r);
            }
        }
    }

    /** Sum of the numbers of one moment. */
    public long sum() {
        Pair p = get();
        return p.left() + p.right();
    }

    /** Number of updates completed or begun. */
    public long updates() {
        return (version + 1) / 2;
    }
}
