package net.harborline.rate;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;

/**
 * Token bucket that limits the rate of outgoing calls. The bucket starts full and gains one token
 * per interval until it is full again. May be shared between threads.
 */
public final class TokenBucket {

    /** Contents of the bucket at some time. */
    private static final class Level {
        final long tokens;
        final long asOf;

        Level(long tokens, long asOf) {
            this.tokens = tokens;
            this.asOf = asOf;
        }
    }

    private final long capacity;
    private final long nanosPerToken;
    private final LongSupplier ticker;
    private final AtomicReference<Level> level;

    public TokenBucket(long capacity, long nanosPerToken) {
        this(capacity, nanosPerToken, System::nanoTime);
    }

    /**
     * Creates a full bucket.
     *
     * @param ticker supplies the time in nanoseconds, must be safe for use by several threads
     */
    public TokenBucket(long capacity, long nanosPerToken, LongSupplier ticker) {
        if (capacity < 1 || nanosPerToken < 1) {
            throw new IllegalArgumentException();
        }
        this.capacity = capacity;
        this.nanosPerToken = nanosPerToken;
        this.ticker = Objects.requireNonNull(ticker, "ticker");
        this.level = new AtomicReference<>(new Level(capacity, ticker.getAsLong()));
    }

    /** Takes a token if there is one. */
    public boolean tryTake() {
        return tryTake(1);
    }

    /** Takes several tokens if there are as many, otherwise none. */
    public boolean tryTake(long tokens) {
        if (tokens < 1) {
            throw new IllegalArgumentException("tokens: " + tokens);
        }
        for (;;) {
            Level current = level.get();
            Level refilled = refill(current, ticker.getAsLong());
            if (refilled.tokens < tokens) {
                return false;
            }
            if (level.compareAndSet(current, new Level(refilled.tokens - tokens, refilled.asOf))) {
                return true;
            }
        }
    }

    /** Puts tokens back that were taken and not needed. What exceeds the capacity is lost. */
    public void giveBack(long tokens) {
        if (tokens < 1) {
            throw new IllegalArgumentException("tokens: " + tokens);
        }
        Level current;
        Level next;
        do {
            current = level.get();
            next = new Level(current.tokens + Math.min(tokens, capacity - current.tokens), current.asOf);
        } while (!level.compareAndSet(current, next));
    }

    /** Returns the number of tokens available; by the time it returns this is only an estimate. */
    public long available() {
        return refill(level.get(), ticker.getAsLong()).tokens;
    }

    private Level refill(Level from, long now) {
        long gained = Math.max(0, now - from.asOf) / nanosPerToken;
        if (gained == 0) {
            return from;
        }
        if (gained >= capacity - from.tokens) {
            return new Level(capacity, now);
        }
        return new Level(from.tokens + gained, from.asOf + gained * nanosPerToken);
    }
}
