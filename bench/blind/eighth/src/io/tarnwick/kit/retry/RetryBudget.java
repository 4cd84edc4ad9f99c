package io.tarnwick.kit.retry;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Limits retries to a share of the regular calls. Each call that goes through pays
 * a little into the budget, each retry takes a larger amount out; without enough in
 * it the retry is not made. The budget has an upper bound.
 *
 * <p>Lock-free and safe for concurrent use.
 */
public class RetryBudget {

    private final AtomicInteger balance;
    private final int ceiling;
    private final int gain;
    private final int cost;

    /** A budget of at most 1000 that starts half full, gains 1 a call and costs 10 a retry. */
    public RetryBudget() {
        this(1000, 500, 1, 10);
    }

    /**
     * @param ceiling the most that the budget can hold
     * @param initial what it holds at the beginning
     * @param gain paid in by each successful call
     * @param cost taken out by each retry
     */
    public RetryBudget(int ceiling, int initial, int gain, int cost) {
        if (ceiling < 1 || initial < 0 || initial > ceiling) {
            throw new IllegalArgumentException("initial " + initial + " of " + ceiling);
        }
        if (gain < 1 || cost < 1) {
            throw new IllegalArgumentException("gain " + gain + ", cost " + cost);
        }
        this.ceiling = ceiling;
        this.gain = gain;
        this.cost = cost;
        this.balance = new AtomicInteger(initial);
    }

    /** To be called after each call that succeeded at once. */
    public void onSuccess() {
        int seen = balance.get();
        int next = (int) Math.min(ceiling, (long) seen + gain);
        while (!balance.compareAndSet(seen, next)) {
            Thread.onSpinWait();
        }
    }

    /**
     * Asks for a retry.
     *
     * @return true if the retry may be made; its cost has been taken from the budget
     */
    public boolean tryRetry() {
        while (true) {
            int seen = balance.get();
            if (seen < cost) {
                return false;
            }
            if (balance.compareAndSet(seen, seen - cost)) {
                return true;
            }
        }
    }

    /** What the budget holds at the moment. */
    public int balance() {
        return balance.get();
    }

    @Override
    public String toString() {
        return "RetryBudget[" + balance + '/' + ceiling + ']';
    }
}
