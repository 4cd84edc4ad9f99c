package com.acme.ratelimit;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * A lock-free rate limiter by the generic cell rate algorithm: permits are
 * given at a steady interval with a limited burst. Whether a permit is free
 * depends on the clock. Thread-safe.
 */
public class PacedLimiter {

    private final long intervalNanos;
    private final long toleranceNanos;
    private final LongSupplier clock;
    /** Time at which the limiter is fully refilled again. */
    private final AtomicLong refilledAt;

    /**
     * @param intervalNanos time between two permits, at most a second
     * @param burst how many permits may be given at once
     */
    public PacedLimiter(long intervalNanos, int burst) {
        this(intervalNanos, burst, System::nanoTime);
    }

    PacedLimiter(long intervalNanos, int burst, LongSupplier clock) {
        if (intervalNanos < 1 || intervalNanos > 1_000_000_000L || burst < 1) {
            throw new IllegalArgumentException();
        }
        this.intervalNanos = intervalNanos;
        this.toleranceNanos = intervalNanos * burst;
        this.clock = clock;
        this.refilledAt = new AtomicLong(clock.getAsLong());
    }

    /** Takes a permit if one is free. */
    public boolean tryAcquire() {
        return tryAcquire(1);
    }

    /** Takes several permits if all are free, else none. */
    public boolean tryAcquire(int permits) {
        if (permits < 1) {
            throw new IllegalArgumentException("permits: " + permits);
        }
        for (;;) {
            long at = refilledAt.get();
            long now = clock.getAsLong();
            long start = at - now > 0 ? at : now;
            long next = start + intervalNanos * permits;
            if (next - now > toleranceNanos) {
                return false;
            }
            if (refilledAt.compareAndSet(at, next)) {
                return true;
            }
        }
    }

    /** Nanoseconds until a permit is free, 0 if there is one; a hint only. */
    public long waitHint() {
        long now = clock.getAsLong();
        long ahead = Math.max(0, refilledAt.get() - now) + intervalNanos;
        return Math.max(0, ahead - toleranceNanos);
    }
}
