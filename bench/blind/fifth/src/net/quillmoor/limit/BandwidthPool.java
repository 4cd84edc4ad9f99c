package net.quillmoor.limit;

/**
 * Shares a fixed number of bandwidth units between transfers. A transfer takes as many units as it
 * needs, waiting until they are free, and gives them back when it is done.
 *
 * <p>Thread-safe. Waiting callers are not served in any fixed order: a small request may overtake a
 * large one. A request is granted whenever enough units are free for it.
 */
public class BandwidthPool {

    private final int capacity;
    private int free;
    private int waiting;

    /**
     * Creates a pool with all units free.
     *
     * @param capacity the number of units, positive
     */
    public BandwidthPool(int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException("capacity: " + capacity);
        }
        this.capacity = capacity;
        this.free = capacity;
    }

    /**
     * Takes units, waiting until that many are free.
     *
     * @throws InterruptedException if interrupted while waiting; nothing has been taken then
     */
    public synchronized void acquire(int units) throws InterruptedException {
        checkUnits(units);
        waiting++;
        try {
            while (free < units) {
                wait();
            }
            free -= units;
        } finally {
            waiting--;
        }
    }

    /** Takes units if that many are free right now. */
    public synchronized boolean tryAcquire(int units) {
        checkUnits(units);
        if (free < units) {
            return false;
        }
        free -= units;
        return true;
    }

    /**
     * Gives units back.
     *
     * @throws IllegalStateException if more units are given back than were taken
     */
    public synchronized void release(int units) {
        checkUnits(units);
        if (free + units > capacity) {
            throw new IllegalStateException("released more than acquired");
        }
        free += units;
        if (waiting > 0) {
            notify();
        }
    }

    /** Returns the number of free units. */
    public synchronized int free() {
        return free;
    }

    /** Returns the number of callers in {@link #acquire}. */
    public synchronized int waiting() {
        return waiting;
    }

    private void checkUnits(int units) {
        if (units < 1 || units > capacity) {
            throw new IllegalArgumentException("units: " + units);
        }
    }
}
