package net.quillon.core.metrics;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * A counter for events that are counted from many threads at a high rate and read now and then.
 */
public final class StripedCounter {

    private static final int PADDING = 8;

    private final AtomicLongArray cells;
    private final int mask;

    public StripedCounter() {
        this(Runtime.getRuntime().availableProcessors());
    }

    public StripedCounter(int minStripes) {
        if (minStripes < 1 || minStripes > 1024) {
            throw new IllegalArgumentException("minStripes: " + minStripes);
        }
        int stripes = Integer.highestOneBit(minStripes * 2 - 1);
        cells = new AtomicLongArray(stripes * PADDING);
        mask = stripes - 1;
    }

    public void increment() {
        add(1);
    }

    public void add(long amount) {
        cells.getAndAdd(ownCell(), amount);
    }

    /**
     * Returns the current sum. The returned value is <em>not</em> an atomic snapshot: additions
     * made while it is being calculated might not be included.
     */
    public long sum() {
        long sum = 0;
        for (int i = 0; i <= mask; i++) {
            sum += cells.get(i * PADDING);
        }
        return sum;
    }

    /**
     * Takes the current sum out of the counter. Each addition is part of the result of exactly one
     * drain; additions made during the call may be left for the next.
     */
    public long drain() {
        long sum = 0;
        for (int i = 0; i <= mask; i++) {
            sum += cells.getAndSet(i * PADDING, 0);
        }
        return sum;
    }

    private int ownCell() {
        long id = Thread.currentThread().getId();
        int mixed = (int) ((id * 0x9E3779B97F4A7C15L) >>> 40);
        return (mixed & mask) * PADDING;
    }

    @Override
    public String toString() {
        return Long.toString(sum());
    }
}
