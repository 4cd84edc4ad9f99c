package org.larkspur.limit;

import java.util.concurrent.atomic.AtomicLong;

/**
 * A bucket that holds a limited number of tokens. Tokens are taken by {@link #tryAcquire} and put
 * in from the outside, usually by a scheduled task, with {@link #refill}.
 *
 * <p>All methods are atomic and lock-free and may be called from any thread.
 */
public final class TokenBucket {

    private final long capacity;
    private final AtomicLong tokens;

    /**
     * Creates a bucket.
     *
     * @param capacity the maximum number of tokens, positive
     * @param initial the number of tokens at the beginning
     */
    public TokenBucket(long capacity, long initial) {
        if (capacity <= 0) {
            throw new IllegalArgumentException("capacity: " + capacity);
        }
        if (initial < 0 || initial > capacity) {
            throw new IllegalArgumentException("initial: " + initial);
        }
        this.capacity = capacity;
        this.tokens = new AtomicLong(initial);
    }

    /** Returns the maximum number of tokens. */
    public long capacity() {
        return capacity;
    }

    /** Returns the current number of tokens. */
    public long available() {
        return tokens.get();
    }

    /**
     * Takes tokens if there are enough of them.
     *
     * @param count the number of tokens to take, positive
     * @return true if they have been taken
     */
    public boolean tryAcquire(long count) {
        checkPositive(count);
        long current = tokens.get();
        while (current >= count) {
            if (tokens.compareAndSet(current, current - count)) {
                return true;
            }
            current = tokens.get();
        }
        return false;
    }

    /**
     * Takes all tokens.
     *
     * @return the number of tokens taken
     */
    public long acquireAll() {
        return tokens.getAndSet(0);
    }

    /**
     * Puts tokens into the bucket; those that do not fit are thrown away.
     *
     * @param count the number of tokens, positive
     * @return the number of tokens in the bucket after the call
     */
    public long refill(long count) {
        checkPositive(count);
        long current = tokens.get();
        long updated = current + Math.min(count, capacity - current);
        while (!tokens.compareAndSet(current, updated)) {
            current = tokens.get();
            if (current == capacity) {
                return current;
            }
        }
        return updated;
    }

    private static void checkPositive(long count) {
        if (count <= 0) {
            throw new IllegalArgumentException("count: " + count);
        }
    }

    @Override
    public String toString() {
        return "TokenBucket[" + tokens.get() + "/" + capacity + "]";
    }
}
