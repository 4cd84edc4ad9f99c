package org.larkspur.limit;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Grants permits at a limited rate. Unused permits are saved up to a maximum.
 *
 * <p>The time of the last grant and the number of permits saved at that time are kept together in
 * one word which is updated atomically. All methods are lock-free and safe for use by multiple
 * threads. A limiter can be used until its clock has advanced by 2<sup>39</sup> ticks.
 */
public final class PackedRateLimiter {

    private static final int PERMIT_BITS = 24;
    private static final int PERMIT_MASK = (1 << PERMIT_BITS) - 1;

    private final int capacity;
    private final int permitsPerTick;
    private final LongSupplier clock;
    private final long epoch;

    /** Upper bits: ticks since the epoch; lower bits: permits. */
    private final AtomicLong state;

    /**
     * Creates a limiter with the maximum number of permits.
     *
     * @param capacity the maximum number of permits
     * @param permitsPerTick the number of permits added per tick of the clock
     * @param clock the clock, must not go backwards
     */
    public PackedRateLimiter(int capacity, int permitsPerTick, LongSupplier clock) {
        if (capacity <= 0 || capacity > PERMIT_MASK) {
            throw new IllegalArgumentException("capacity: " + capacity);
        }
        if (permitsPerTick <= 0 || permitsPerTick > capacity) {
            throw new IllegalArgumentException("permitsPerTick: " + permitsPerTick);
        }
        this.capacity = capacity;
        this.permitsPerTick = permitsPerTick;
        this.clock = Objects.requireNonNull(clock, "clock");
        this.epoch = clock.getAsLong();
        this.state = new AtomicLong(pack(0, capacity));
    }

    /**
     * Takes permits if there are enough of them.
     *
     * @param permits the number of permits, positive
     * @return whether they have been taken
     */
    public boolean tryAcquire(int permits) {
        if (permits <= 0) {
            throw new IllegalArgumentException("permits: " + permits);
        }
        for (;;) {
            long old = state.get();
            long refilled = refill(old, clock.getAsLong() - epoch);
            int available = permits(refilled);
            if (available < permits) {
                return false;
            }
            if (state.compareAndSet(old, pack(ticks(refilled), available - permits))) {
                return true;
            }
        }
    }

    /** Returns the number of permits that could be taken now. */
    public int available() {
        for (;;) {
            long old = state.get();
            int available = permits(refill(old, clock.getAsLong() - epoch));
            if (state.get() == old) {
                return available;
            }
        }
    }

    /** Returns the maximum number of permits. */
    public int capacity() {
        return capacity;
    }

    private long refill(long word, long now) {
        long elapsed = now - ticks(word);
        if (elapsed <= 0) {
            return word;
        }
        if (elapsed >= capacity) {
            return pack(now, capacity);
        }
        long permits = Math.min(capacity, permits(word) + elapsed * permitsPerTick);
        return pack(now, (int) permits);
    }

    private static long pack(long ticks, int permits) {
        return ticks << PERMIT_BITS | permits;
    }

    private static long ticks(long word) {
        return word >>> PERMIT_BITS;
    }

    private static int permits(long word) {
        return (int) (word & PERMIT_MASK);
    }
}
