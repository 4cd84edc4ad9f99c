package app.quota;

/**
 * Keeps track of how much of a fixed allowance has been used.
 *
 * <p>Thread-safe; every method is atomic and guarded by the monitor of this object. The amount used
 * never exceeds the limit.
 */
public class QuotaTracker {
    private final int limit;
    private int used;

    /**
     * @param limit greatest amount that may be in use, not negative
     */
    public QuotaTracker(int limit) {
        if (limit < 0) {
            throw new IllegalArgumentException("limit: " + limit);
        }
        this.limit = limit;
    }

    /** Uses the amount if so much is left; returns whether it was. Never uses a part of it. */
    public synchronized boolean tryConsume(int amount) {
        checkAmount(amount);
        if (amount > limit - used) {
            return false;
        }
        used += amount;
        return true;
    }

    /** Gives back an amount; giving back more than was used leaves nothing used. */
    public synchronized void refund(int amount) {
        checkAmount(amount);
        used = Math.max(0, used - amount);
    }

    /** Returns the amount left. */
    public synchronized int remaining() {
        return limit - used;
    }

    /** Starts a new period with nothing used. */
    public synchronized void reset() {
        used = 0;
    }

    /** Returns the limit given at construction. */
    public final int limit() {
        return limit;
    }

    /** Checks that the amount is positive. */
    protected static void checkAmount(int amount) {
        if (amount <= 0) {
            throw new IllegalArgumentException("amount: " + amount);
        }
    }
}
