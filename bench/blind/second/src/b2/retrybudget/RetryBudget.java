package b2.retrybudget;

import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Repeats failing calls as long as a budget, shared by all threads, permits it.
 *
 * <p>Thread-safe. Taking a retry from the budget is atomic, so there are never more retries than
 * the budget had. {@link #call} as a whole is not atomic: the retries of concurrent calls are
 * interleaved in any way, and each takes from what the budget has at that moment.
 */
public class RetryBudget {
    private final int limit;
    private final AtomicInteger budget;

    public RetryBudget() {
        this(2);
    }

    public RetryBudget(int limit) {
        if (limit < 0) {
            throw new IllegalArgumentException("limit: " + limit);
        }
        this.limit = limit;
        this.budget = new AtomicInteger(limit);
    }

    /** Calls the action, again and again while it throws and the budget has a retry left. */
    public <T> T call(Callable<T> action) throws Exception {
        while (true) {
            try {
                return action.call();
            } catch (InterruptedException e) {
                throw e;
            } catch (Exception e) {
                if (!tryTake()) {
                    throw e;
                }
            }
        }
    }

    /** Takes one retry from the budget; returns false if there is none. */
    public boolean tryTake() {
        return budget.getAndUpdate(n -> n > 0 ? n - 1 : 0) > 0;
    }

    /** Adds a retry to the budget, but not beyond its limit; returns what it has then. */
    public int refill() {
        return budget.updateAndGet(n -> Math.min(n + 1, limit));
    }

    /** Returns how many retries are left. */
    public int left() {
        return budget.get();
    }
}
