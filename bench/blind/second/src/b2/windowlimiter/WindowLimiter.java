package b2.windowlimiter;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A fixed-window rate limiter: it grants at most {@code limit} permits per window.
 *
 * <p>Thread-safe. The time is passed by the caller, in milliseconds, and must not decrease. A
 * window starts with the first request at or after the end of the previous one.
 */
public class WindowLimiter {
    private final int limit;
    private final long windowMillis;
    private final AtomicLong windowStart = new AtomicLong();
    private final AtomicInteger used = new AtomicInteger();

    public WindowLimiter() {
        this(1, 10);
    }

    public WindowLimiter(int limit, long windowMillis) {
        if (limit < 1 || windowMillis < 1) {
            throw new IllegalArgumentException();
        }
        this.limit = limit;
        this.windowMillis = windowMillis;
    }

    /** Requests a permit at the given time; returns whether it is granted. */
    public boolean tryAcquire(long nowMillis) {
        if (nowMillis - windowStart.get() >= windowMillis) {
            windowStart.set(nowMillis);
            used.set(0);
        }
        while (true) {
            int n = used.get();
            if (n >= limit) {
                return false;
            }
            if (used.compareAndSet(n, n + 1)) {
                return true;
            }
        }
    }

    /** Returns the number of permits granted in the current window. */
    public int used() {
        return used.get();
    }

    /** Returns the largest number of permits per window. */
    public int limit() {
        return limit;
    }
}
