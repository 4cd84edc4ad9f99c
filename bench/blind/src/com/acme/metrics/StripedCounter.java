package com.acme.metrics;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * A counter for heavy concurrent use. Updates are spread over several cells.
 *
 * <p>No update is ever lost: when no update is under way {@link #sum()} is
 * exact. While updates are under way it is an estimate that may miss some of
 * them, and successive sums need not be consistent with any single order of
 * the updates.
 */
public class StripedCounter {

    private static final int STRIPES = 8;
    private static final int PADDING = 8;

    private final AtomicLongArray cells = new AtomicLongArray(STRIPES * PADDING);

    private static int cell() {
        long id = Thread.currentThread().getId();
        int h = (int) (id * 0x9E3779B97F4A7C15L >>> 61);
        return h * PADDING;
    }

    public void increment() {
        add(1);
    }

    public void decrement() {
        add(-1);
    }

    /** Adds a number, which may be negative. */
    public void add(long delta) {
        cells.getAndAdd(cell(), delta);
    }

    /** Estimate of the sum, exact in the absence of concurrent updates. */
    public long sum() {
        long s = 0;
        for (int i = 0; i < STRIPES; i++) {
            s += cells.get(i * PADDING);
        }
        return s;
    }

    /**
     * Takes the sum out of the counter. Each update is part of exactly one
     * drained sum or still in the counter; which one is not specified while
     * updates are under way.
     */
    public long drain() {
        long s = 0;
        for (int i = 0; i < STRIPES; i++) {
            s += cells.getAndSet(i * PADDING, 0);
        }
        return s;
    }

    @Override
    public String toString() {
        return "~" + sum();
    }
}
