package net.quillmoor.booking;

import java.util.BitSet;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The seats of a hall and which of them are taken.
 *
 * <p>Thread-safe. Each row has its own lock, so that customers looking at different rows do not
 * hinder each other.
 */
public final class HallPlan {

    private final int rows;
    private final int seatsPerRow;
    private final Lock[] rowLocks;
    /** Bit {@code row * seatsPerRow + seat} is set while the seat is taken. */
    private final BitSet taken;

    /**
     * Creates the plan of an empty hall.
     *
     * @param rows the number of rows, positive
     * @param seatsPerRow the number of seats in each row, positive
     */
    public HallPlan(int rows, int seatsPerRow) {
        if (rows < 1 || seatsPerRow < 1) {
            throw new IllegalArgumentException("empty hall");
        }
        this.rows = rows;
        this.seatsPerRow = seatsPerRow;
        this.taken = new BitSet(rows * seatsPerRow);
        this.rowLocks = new Lock[rows];
        for (int i = 0; i < rows; i++) {
            rowLocks[i] = new ReentrantLock();
        }
    }

    /** Takes a seat; returns false if it is taken already. */
    public boolean take(int row, int seat) {
        int bit = bit(row, seat);
        rowLocks[row].lock();
        try {
            if (taken.get(bit)) {
                return false;
            }
            taken.set(bit);
            return true;
        } finally {
            rowLocks[row].unlock();
        }
    }

    /**
     * Takes the first free seat of a row.
     *
     * @return the seat, or -1 if the row is full
     */
    public int takeAny(int row) {
        int start = bit(row, 0);
        rowLocks[row].lock();
        try {
            int bit = taken.nextClearBit(start);
            if (bit >= start + seatsPerRow) {
                return -1;
            }
            taken.set(bit);
            return bit - start;
        } finally {
            rowLocks[row].unlock();
        }
    }

    /** Frees a seat; returns false if it was free. */
    public boolean free(int row, int seat) {
        int bit = bit(row, seat);
        rowLocks[row].lock();
        try {
            boolean was = taken.get(bit);
            taken.clear(bit);
            return was;
        } finally {
            rowLocks[row].unlock();
        }
    }

    /** Tells whether a seat is taken. */
    public boolean isTaken(int row, int seat) {
        int bit = bit(row, seat);
        rowLocks[row].lock();
        try {
            return taken.get(bit);
        } finally {
            rowLocks[row].unlock();
        }
    }

    /** Returns the number of seats taken in a row. */
    public int takenIn(int row) {
        int start = bit(row, 0);
        rowLocks[row].lock();
        try {
            int count = 0;
            for (int bit = start; bit < start + seatsPerRow; bit++) {
                if (taken.get(bit)) {
                    count++;
                }
            }
            return count;
        } finally {
            rowLocks[row].unlock();
        }
    }

    private int bit(int row, int seat) {
        if (row < 0 || row >= rows || seat < 0 || seat >= seatsPerRow) {
            throw new IndexOutOfBoundsException("row " + row + ", seat " + seat);
        }
        return row * seatsPerRow + seat;
    }
}
