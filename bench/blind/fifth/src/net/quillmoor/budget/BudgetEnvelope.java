package net.quillmoor.budget;

import java.util.concurrent.atomic.AtomicLong;

/**
 * A budget of which parts are committed to projects and given back. At all times the free and the
 * committed part add up to the amount of the envelope.
 *
 * <p>Safe for use by several threads without locking.
 */
public final class BudgetEnvelope {

    /**
     * The state of an envelope at one moment. The two parts always add up to the envelope's amount.
     *
     * @param free what can still be committed
     * @param committed what has been committed
     */
    public record Statement(long free, long committed) {
        /** Returns the sum of both parts. */
        public long total() {
            return free + committed;
        }
    }

    private final String title;
    private final long amount;
    private final AtomicLong free;
    private final AtomicLong committed = new AtomicLong();

    BudgetEnvelope(String title, long amount) {
        this.title = title;
        this.amount = amount;
        this.free = new AtomicLong(amount);
    }

    /** Creates an envelope of which nothing is committed. */
    public static BudgetEnvelope of(String title, long amount) {
        if (amount < 0) {
            throw new IllegalArgumentException("amount: " + amount);
        }
        return new BudgetEnvelope(title, amount);
    }

    /**
     * Commits a sum.
     *
     * @return false, with nothing changed, if less than that is free
     */
    public boolean commit(long sum) {
        return move(free, committed, sum);
    }

    /**
     * Takes a commitment back.
     *
     * @return false, with nothing changed, if less than that is committed
     */
    public boolean uncommit(long sum) {
        return move(committed, free, sum);
    }

    /** Returns the state of the envelope at one moment. */
    public Statement statement() {
        return new Statement(free.get(), committed.get());
    }

    /** Returns the amount of the envelope. */
    public long amount() {
        return amount;
    }

    @Override
    public String toString() {
        return title + '[' + amount + ']';
    }

    private static boolean move(AtomicLong from, AtomicLong to, long sum) {
        if (sum <= 0) {
            throw new IllegalArgumentException("sum: " + sum);
        }
        for (;;) {
            long have = from.get();
            if (have < sum) {
                return false;
            }
            if (from.compareAndSet(have, have - sum)) {
                to.addAndGet(sum);
                return true;
            }
        }
    }
}
