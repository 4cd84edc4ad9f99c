package dev.harrow.svc.limit;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Limits calls to one per interval on average, with bursts of up to a given number. The clock given
 * must never run backwards, as is true of {@link System#nanoTime()}.
 */
public final class PacingLimiter {

    private final long intervalNanos;
    private final long toleranceNanos;
    private final LongSupplier nanoClock;
    private final AtomicLong nextFree;

    public PacingLimiter(long interval, TimeUnit unit, int burst) {
        this(interval, unit, burst, System::nanoTime);
    }

    public PacingLimiter(long interval, TimeUnit unit, int burst, LongSupplier nanoClock) {
        if (interval < 1 || burst < 1) {
            throw new IllegalArgumentException("interval and burst must be positive");
        }
        this.intervalNanos = unit.toNanos(interval);
        this.toleranceNanos = Math.multiplyExact(intervalNanos, burst - 1L);
        this.nanoClock = nanoClock;
        this.nextFree = new AtomicLong(nanoClock.getAsLong());
    }

    /** Whether a call may be made now; if so it counts as made. */
    public boolean tryAcquire() {
        for (;;) {
            long free = nextFree.get();
            long now = nanoClock.getAsLong();
            long start = free - now > 0 ? free : now;
            if (start - now > toleranceNanos) {
                return false;
            }
            if (nextFree.compareAndSet(free, start + intervalNanos)) {
                return true;
            }
        }
    }

    /** How long it takes until a call may be made, if none is made in the meantime. */
    public long nanosUntilFree() {
        long free = nextFree.get();
        long wait = free - nanoClock.getAsLong() - toleranceNanos;
        return Math.max(wait, 0);
    }

    public long intervalNanos() {
        return intervalNanos;
    }
}
