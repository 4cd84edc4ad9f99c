package net.quillmoor.limit;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Grants at most a fixed number of permits in each time window. Windows start with the first request
 * after the previous window ended.
 *
 * <p>The limiter is thread-safe and lock-free. It never grants more than the limit within one
 * window, whatever the number of calling threads.
 */
public final class WindowLimiter {

    /** A source of the current time. */
    @FunctionalInterface
    public interface Ticker {
        /** Returns a time in milliseconds that does not go back. */
        long millis();
    }

    private final Ticker ticker;
    private final int limit;
    private final long windowMillis;
    private final AtomicLong windowStart;
    private final AtomicInteger granted = new AtomicInteger();
    private final AtomicLong refused = new AtomicLong();

    /**
     * Creates a limiter whose first window starts now.
     *
     * @param limit permits per window, positive
     * @param windowMillis length of a window, positive
     * @param ticker the time source
     */
    public WindowLimiter(int limit, long windowMillis, Ticker ticker) {
        if (limit < 1 || windowMillis < 1) {
            throw new IllegalArgumentException("limit and window must be positive");
        }
        this.limit = limit;
        this.windowMillis = windowMillis;
        this.ticker = Objects.requireNonNull(ticker, "ticker");
        this.windowStart = new AtomicLong(ticker.millis());
    }

    /** Takes a permit if the current window has one left. */
    public boolean tryAcquire() {
        rollWindow(ticker.millis());
        int taken;
        do {
            taken = granted.get();
            if (taken >= limit) {
                refused.incrementAndGet();
                return false;
            }
        } while (!granted.compareAndSet(taken, taken + 1));
        return true;
    }

    /** Returns how many permits of the current window have been granted. */
    public int grantedInWindow() {
        rollWindow(ticker.millis());
        return granted.get();
    }

    /** Returns the number of refused requests since creation. */
    public long refused() {
        return refused.get();
    }

    private void rollWindow(long now) {
        long start = windowStart.get();
        if (now - start >= windowMillis) {
            windowStart.set(now);
            granted.set(0);
        }
    }
}
