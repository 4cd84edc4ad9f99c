package net.quillmoor.metrics;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * A counter for heavy concurrent use. Threads add to different stripes of the counter so that they
 * seldom get into each other's way.
 *
 * <p>Thread-safe; no addition is ever lost. {@link #sum()} is <em>not</em> an atomic snapshot: it
 * adds up the stripes one after another and may include some additions made during the call but not
 * others. While nobody adds or drains it is exact.
 */
public final class StripedTally {

    /** Stripes are this many longs apart, which is a cache line. */
    private static final int SPACING = 8;

    private final AtomicLongArray cells;
    private final int mask;

    /** Creates a tally of zero with a stripe count that suits the machine. */
    public StripedTally() {
        this(Runtime.getRuntime().availableProcessors() * 2);
    }

    /**
     * Creates a tally of zero.
     *
     * @param stripes the wanted number of stripes, rounded up to a power of two
     */
    public StripedTally(int stripes) {
        if (stripes < 1 || stripes > 1 << 16) {
            throw new IllegalArgumentException("stripes: " + stripes);
        }
        int count = 1;
        while (count < stripes) {
            count <<= 1;
        }
        mask = count - 1;
        cells = new AtomicLongArray(count * SPACING);
    }

    /** Adds one. */
    public void increment() {
        add(1);
    }

    /** Adds an amount, which may be negative. */
    public void add(long amount) {
        cells.getAndAdd(ownStripe(), amount);
    }

    /** Returns the sum of the stripes; see the class comment about concurrent use. */
    public long sum() {
        long sum = 0;
        for (int i = 0; i <= mask; i++) {
            sum += cells.get(i * SPACING);
        }
        return sum;
    }

    /**
     * Takes the counts out of the stripes, one after another, and returns their sum. An addition made
     * during the call is either included or left in place, so that successive results (of one or
     * several threads) together count every addition exactly once.
     */
    public long drain() {
        long sum = 0;
        for (int i = 0; i <= mask; i++) {
            sum += cells.getAndSet(i * SPACING, 0);
        }
        return sum;
    }

    @Override
    public String toString() {
        return Long.toString(sum());
    }

    private int ownStripe() {
        long id = Thread.currentThread().getId() * 0x9E3779B97F4A7C15L;
        return ((int) (id >>> 40) & mask) * SPACING;
    }
}
