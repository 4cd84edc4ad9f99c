package org.larkspur.metrics;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * A sum to which many threads add. The sum is spread over several cells so that they do not
 * contend.
 *
 * <p>This class is thread-safe. {@link #sum} is not an atomic snapshot: called without concurrent
 * updates and resets it returns an accurate result, but updates made or reset while the sum is being
 * calculated might or might not be included. The same holds for {@link #sumThenReset}; it is
 * guaranteed, however, that every update is included in the result of exactly one call of it, or
 * remains in the sum.
 */
public class StripedAdder {

    /** Distance of two cells in the array, to have them in different cache lines. */
    private static final int PADDING = 16;

    private final AtomicLongArray cells;
    private final int stripeMask;

    /** Creates an adder with a number of cells that suits the machine. */
    public StripedAdder() {
        this(Runtime.getRuntime().availableProcessors() * 2);
    }

    /**
     * Creates an adder.
     *
     * @param stripes the minimum number of cells
     */
    public StripedAdder(int stripes) {
        if (stripes <= 0 || stripes > 1 << 16) {
            throw new IllegalArgumentException("stripes: " + stripes);
        }
        int count = stripes == 1 ? 1 : Integer.highestOneBit(stripes - 1) << 1;
        this.stripeMask = count - 1;
        this.cells = new AtomicLongArray(count * PADDING);
    }

    /**
     * Adds a number.
     *
     * @param delta the number
     */
    public void add(long delta) {
        int stripe = probe();
        for (int i = 0; i <= stripeMask; i++) {
            int cell = ((stripe + i) & stripeMask) * PADDING;
            long value = cells.get(cell);
            if (cells.compareAndSet(cell, value, value + delta)) {
                return;
            }
        }
        cells.getAndAdd((stripe & stripeMask) * PADDING, delta);
    }

    /** Adds one. */
    public void increment() {
        add(1);
    }

    /** Subtracts one. */
    public void decrement() {
        add(-1);
    }

    /** Returns the current sum. */
    public long sum() {
        long sum = 0;
        for (int i = 0; i < cells.length(); i += PADDING) {
            sum += cells.get(i);
        }
        return sum;
    }

    /** Returns the current sum and sets all cells to zero. */
    public long sumThenReset() {
        long sum = 0;
        for (int i = 0; i < cells.length(); i += PADDING) {
            if (cells.get(i) != 0) {
                sum += cells.getAndSet(i, 0);
            }
        }
        return sum;
    }

    private static int probe() {
        long id = Thread.currentThread().getId();
        return (int) ((id * 0x9E3779B97F4A7C15L) >>> 40);
    }

    @Override
    public String toString() {
        return Long.toString(sum());
    }
}
