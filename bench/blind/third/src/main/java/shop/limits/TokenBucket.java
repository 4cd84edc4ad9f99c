package shop.limits;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;

/**
 * Limits the rate of requests. The bucket holds a number of tokens and gets a new one at regular
 * intervals until it is full; each request takes tokens from it.
 *
 * <p>Thread-safe and lock-free: the state is an immutable object that is replaced by compare-and-set.
 */
public final class TokenBucket {

    /** The tokens in the bucket and the time up to which refills are accounted for. */
    private record Level(long tokens, long time) {
    }

    private final long capacity;
    private final long nanosPerToken;
    private final LongSupplier ticker;
    private final AtomicReference<Level> level;

    /** Creates a full bucket that uses the system's clock. */
    public TokenBucket(long capacity, long nanosPerToken) {
        this(capacity, nanosPerToken, System::nanoTime);
    }

    /**
     * Creates a full bucket.
     *
     * @param capacity the greatest number of tokens
     * @param nanosPerToken the time after which a token is added
     * @param ticker the time in nanoseconds; must not run backwards
     */
    public TokenBucket(long capacity, long nanosPerToken, LongSupplier ticker) {
        if (capacity < 1 || nanosPerToken < 1) {
            throw new IllegalArgumentException(capacity + " tokens, one per " + nanosPerToken + " ns");
        }
        this.capacity = capacity;
        this.nanosPerToken = nanosPerToken;
        this.ticker = Objects.requireNonNull(ticker, "ticker");
        this.level = new AtomicReference<>(new Level(capacity, ticker.getAsLong()));
    }

    /** Takes one token; returns false if there is none. */
    public boolean tryAcquire() {
        return tryAcquire(1);
    }

    /**
     * Takes several tokens, or none of them if there are not enough.
     *
     * @throws IllegalArgumentException if the number is not positive
     */
    public boolean tryAcquire(long tokens) {
        requirePositive(tokens);
        while (true) {
            Level old = level.get();
            Level refilled = refill(old);
            if (refilled.tokens() < tokens) {
                return false;
            }
            Level taken = new Level(refilled.tokens() - tokens, refilled.time());
            if (level.compareAndSet(old, taken)) {
                return true;
            }
        }
    }

    /** Puts back tokens of a request that was not made after all; what does not fit is lost. */
    public void giveBack(long tokens) {
        requirePositive(tokens);
        level.updateAndGet(old -> {
            Level refilled = refill(old);
            long room = capacity - refilled.tokens();
            return new Level(refilled.tokens() + Math.min(room, tokens), refilled.time());
        });
    }

    /** Returns the number of tokens in the bucket. */
    public long available() {
        return refill(level.get()).tokens();
    }

    /** Returns the greatest number of tokens. */
    public long capacity() {
        return capacity;
    }

    private Level refill(Level old) {
        long now = ticker.getAsLong();
        long added = (now - old.time()) / nanosPerToken;
        if (added <= 0) {
            return old;
        }
        if (added >= capacity - old.tokens()) {
            return new Level(capacity, now);
        }
        return new Level(old.tokens() + added, old.time() + added * nanosPerToken);
    }

    private static void requirePositive(long tokens) {
        if (tokens < 1) {
            throw new IllegalArgumentException("tokens: " + tokens);
        }
    }
}
