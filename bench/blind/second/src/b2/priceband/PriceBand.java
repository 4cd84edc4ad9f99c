package b2.priceband;

/**
 * The band of prices in which a quote may move: a lower and an upper bound.
 *
 * <p>Thread-safe: every method is atomic.
 */
public final class PriceBand {
    private final Object lock = new Object();
    private long low;
    private long high;

    public PriceBand() {
        this(0, 10);
    }

    /**
     * @throws IllegalArgumentException if low is above high
     */
    public PriceBand(long low, long high) {
        if (low > high) {
            throw new IllegalArgumentException("low " + low + " > high " + high);
        }
        this.low = low;
        this.high = high;
    }

    /** Moves both bounds by the same amount. */
    public void shift(long delta) {
        synchronized (lock) {
            low += delta;
            high += delta;
        }
    }

    /** Widens the band so that it includes the price. */
    public void include(long price) {
        synchronized (lock) {
            if (price < low) {
                low = price;
            } else if (price > high) {
                high = price;
            }
        }
    }

    /** Replaces the band by a single price. */
    public void collapse(long price) {
        synchronized (lock) {
            low = price;
            high = price;
        }
    }

    /** Tells whether the price is in the band. */
    public boolean contains(long price) {
        synchronized (lock) {
            return low <= price && price <= high;
        }
    }

    /** Returns the distance of the two bounds; never negative. */
    public long width() {
        return high - low;
    }

    @Override
    public String toString() {
        synchronized (lock) {
            return "[" + low + ", " + high + "]";
        }
    }
}
