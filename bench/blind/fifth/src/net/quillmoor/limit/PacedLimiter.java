package net.quillmoor.limit;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Spaces requests out to a steady pace while letting short bursts through.
 *
 * <p>The limiter keeps one number: the time at which it would be fully idle again. Each permit pushes
 * that time on by the interval; a request is refused if it would be pushed too far ahead of the
 * clock. Thread-safe and lock-free; never grants more than {@code burst} permits plus one for each
 * interval passed.
 */
public final class PacedLimiter {

    /** A source of time. */
    public interface Ticker {
        /** Returns nanoseconds since some fixed moment; does not go back. */
        long nanos();

        /** Returns the ticker of the machine. */
        static Ticker system() {
            return System::nanoTime;
        }
    }

    private final Ticker ticker;
    private final long intervalNanos;
    private final long horizonNanos;
    private final int burst;
    private final AtomicLong idleAt;

    /**
     * Creates an idle limiter.
     *
     * @param ticker the time source
     * @param intervalNanos the time between two permits at a steady pace, positive
     * @param burst how many permits an idle limiter grants at once, positive
     */
    public PacedLimiter(Ticker ticker, long intervalNanos, int burst) {
        if (intervalNanos < 1 || burst < 1) {
            throw new IllegalArgumentException("interval and burst must be positive");
        }
        this.ticker = Objects.requireNonNull(ticker, "ticker");
        this.intervalNanos = intervalNanos;
        this.burst = burst;
        this.horizonNanos = Math.multiplyExact(intervalNanos, (long) burst);
        this.idleAt = new AtomicLong(ticker.nanos());
    }

    /** Takes one permit if the pace allows it. */
    public boolean tryAcquire() {
        return tryAcquire(1);
    }

    /**
     * Takes several permits, all or none.
     *
     * @param permits how many, between one and the burst
     */
    public boolean tryAcquire(int permits) {
        if (permits < 1 || permits > burst) {
            throw new IllegalArgumentException("permits: " + permits);
        }
        for (;;) {
            long current = idleAt.get();
            long now = ticker.nanos();
            long base = current - now > 0 ? current : now;
            long next = base + permits * intervalNanos;
            if (next - now > horizonNanos) {
                return false;
            }
            if (idleAt.compareAndSet(current, next)) {
                return true;
            }
        }
    }

    /** Returns roughly how many permits could be taken now; others may take them first. */
    public int available() {
        long ahead = idleAt.get() - ticker.nanos();
        if (ahead <= 0) {
            return burst;
        }
        return (int) Math.max(0, (horizonNanos - ahead) / intervalNanos);
    }

    /** Returns the most permits granted at once. */
    public int burst() {
        return burst;
    }
}
