package app.quota;

/**
 * A quota with an additional reserve for bursts. Consumption uses the ordinary allowance first and
 * the reserve for what exceeds it; refunds fill the reserve first.
 *
 * <p>Thread-safe like its base class: every method is atomic, and the amount in use never exceeds limit
 * plus reserve.
 */
public class BurstQuota extends QuotaTracker {
    private final int reserve;
    private int reserveUsed;

    /**
     * @param limit the ordinary allowance
     * @param reserve how much may be used on top of it
     */
    public BurstQuota(int limit, int reserve) {
        super(limit);
        if (reserve < 0) {
            throw new IllegalArgumentException("reserve: " + reserve);
        }
        this.reserve = reserve;
    }

    @Override
    public synchronized boolean tryConsume(int amount) {
        if (super.tryConsume(amount)) {
            return true;
        }
        int ordinary = super.remaining();
        int excess = amount - ordinary;
        if (excess > reserve - reserveUsed) {
            return false;
        }
        if (ordinary > 0) {
            super.tryConsume(ordinary);
        }
        reserveUsed += excess;
        return true;
    }

    @Override
    public void refund(int amount) {
        checkAmount(amount);
        int toReserve = Math.min(amount, reserveUsed);
        reserveUsed -= toReserve;
        if (amount > toReserve) {
            super.refund(amount - toReserve);
        }
    }

    @Override
    public synchronized int remaining() {
        return super.remaining() + reserve - reserveUsed;
    }

    /** Returns whether part of the reserve is in use. */
    public synchronized boolean isBursting() {
        return reserveUsed > 0;
    }

    @Override
    public synchronized void reset() {
        super.reset();
        reserveUsed = 0;
    }
}
