package b2.tokenbucket;

import java.util.Objects;
import java.util.function.LongSupplier;

/**
 * A token bucket: it holds up to a number of tokens and gets a new one at regular intervals.
 *
 * <p>Thread-safe; every method is atomic. The bucket is full at first.
 */
public class TokenBucket {
    private final int capacity;
    private final long nanosPerToken;
    private final LongSupplier clock;
    private int tokens;
    private long filledAt;

    public TokenBucket() {
        this(2, 60_000_000_000L);
    }

    public TokenBucket(int capacity, long nanosPerToken) {
        this(capacity, nanosPerToken, System::nanoTime);
    }

    /** The clock returns nanoseconds; if it goes backwards, no tokens are added meanwhile. */
    public TokenBucket(int capacity, long nanosPerToken, LongSupplier clock) {
        if (capacity < 1 || nanosPerToken < 1) {
            throw new IllegalArgumentException();
        }
        this.capacity = capacity;
        this.nanosPerToken = nanosPerToken;
        this.clock = Objects.requireNonNull(clock);
        this.tokens = capacity;
        this.filledAt = clock.getAsLong();
    }

    /** Takes a token if there is one. */
    public boolean tryTake() {
        return tryTake(1);
    }

    /** Takes several tokens, or none if there are not enough. */
    public synchronized boolean tryTake(int count) {
        if (count < 1) {
            throw new IllegalArgumentException("count: " + count);
        }
        refill();
        if (tokens < count) {
            return false;
        }
        tokens -= count;
        return true;
    }

    /** Gives a token back that has not been used; it is dropped if the bucket is full. */
    public synchronized void giveBack() {
        refill();
        if (tokens < capacity) {
            tokens++;
        }
    }

    /** Returns the number of tokens. */
    public synchronized int available() {
        refill();
        return tokens;
    }

    private void refill() {
        long elapsed = clock.getAsLong() - filledAt;
        if (elapsed < nanosPerToken) {
            return;
        }
        long added = elapsed / nanosPerToken;
        filledAt += added * nanosPerToken;
        tokens = (int) Math.min(capacity, tokens + added);
    }
}
