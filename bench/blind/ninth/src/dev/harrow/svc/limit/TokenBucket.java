package dev.harrow.svc.limit;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * A token bucket that starts full and gains one token per period up to its capacity. Callers take
 * tokens without ever blocking.
 */
public final class TokenBucket {

    private final long capacity;
    private final long nanosPerToken;
    private final LongSupplier nanoClock;
    private final AtomicLong tokens;
    private final AtomicLong refilledAt;

    public TokenBucket(long capacity, long nanosPerToken) {
        this(capacity, nanosPerToken, System::nanoTime);
    }

    public TokenBucket(long capacity, long nanosPerToken, LongSupplier nanoClock) {
        if (capacity < 1 || nanosPerToken < 1) {
            throw new IllegalArgumentException("capacity and period must be positive");
        }
        this.capacity = capacity;
        this.nanosPerToken = nanosPerToken;
        this.nanoClock = nanoClock;
        this.tokens = new AtomicLong(capacity);
        this.refilledAt = new AtomicLong(nanoClock.getAsLong());
    }

    /** Takes {@code count} tokens, or none if there are not that many. */
    public boolean tryTake(int count) {
        if (count < 1) {
            throw new IllegalArgumentException("count: " + count);
        }
        refill();
        for (;;) {
            long have = tokens.get();
            if (have < count) {
                return false;
            }
            if (tokens.compareAndSet(have, have - count)) {
                return true;
            }
        }
    }

    public boolean tryTake() {
        return tryTake(1);
    }

    /** The number of tokens that could be taken now. */
    public long available() {
        refill();
        return tokens.get();
    }

    public long capacity() {
        return capacity;
    }

    private void refill() {
        long since = refilledAt.get();
        long fresh = (nanoClock.getAsLong() - since) / nanosPerToken;
        if (fresh <= 0) {
            return;
        }
        refilledAt.set(since + fresh * nanosPerToken);
        tokens.accumulateAndGet(Math.min(fresh, capacity),
                (have, more) -> Math.min(capacity, have + more));
    }
}
