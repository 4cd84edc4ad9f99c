package shop.resilience;

import java.util.Objects;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Protects a remote service from calls while it is failing. After a number of consecutive failures the
 * breaker opens and refuses calls. When the pause is over, exactly one call is admitted as a trial; its
 * outcome decides whether the breaker closes or opens again.
 *
 * <p>Thread-safe. Every admitted call must be followed by {@link #onSuccess} or {@link #onFailure}.
 */
public final class CircuitBreaker {

    /** Whether calls are admitted. */
    public enum State {
        CLOSED, OPEN, TRIAL
    }

    private final int failureThreshold;
    private final long pauseNanos;
    private final LongSupplier clock;
    private volatile State state = State.CLOSED;
    private volatile long openedAt;
    private int failures;

    private CircuitBreaker(Builder builder) {
        this.failureThreshold = builder.failureThreshold;
        this.pauseNanos = builder.pauseNanos;
        this.clock = builder.clock;
    }

    /** Returns a builder of circuit breakers. */
    public static Builder builder() {
        return new Builder();
    }

    /** Asks for permission for a call; returns false if the call must not be made. */
    public boolean tryAcquire() {
        switch (state) {
            case CLOSED:
                return true;
            case OPEN:
                if (clock.getAsLong() - openedAt < pauseNanos) {
                    return false;
                }
                state = State.TRIAL;
                return true;
            default:
                return false;
        }
    }

    /** Notes that an admitted call was successful. */
    public synchronized void onSuccess() {
        if (state != State.OPEN) {
            failures = 0;
            state = State.CLOSED;
        }
    }

    /** Notes that an admitted call has failed. */
    public synchronized void onFailure() {
        failures++;
        if (state == State.TRIAL || failures >= failureThreshold) {
            openedAt = clock.getAsLong();
            state = State.OPEN;
        }
    }

    /**
     * Makes a call through the breaker.
     *
     * @throws IllegalStateException if the call is not admitted
     */
    public <T> T call(Supplier<? extends T> action) {
        if (!tryAcquire()) {
            throw new IllegalStateException("circuit breaker is open");
        }
        T result;
        try {
            result = action.get();
        } catch (RuntimeException | Error e) {
            onFailure();
            throw e;
        }
        onSuccess();
        return result;
    }

    /** Returns the current state. */
    public State state() {
        return state;
    }

    /** Builds circuit breakers; not thread-safe. */
    public static final class Builder {

        private int failureThreshold = 5;
        private long pauseNanos = 1_000_000_000L;
        private LongSupplier clock = System::nanoTime;

        private Builder() {
        }

        /** Sets how many consecutive failures open the breaker. */
        public Builder failureThreshold(int value) {
            if (value < 1) {
                throw new IllegalArgumentException("failureThreshold: " + value);
            }
            this.failureThreshold = value;
            return this;
        }

        /** Sets how long the breaker refuses calls before it admits a trial. */
        public Builder pauseNanos(long value) {
            this.pauseNanos = value;
            return this;
        }

        /** Sets the source of the time in nanoseconds. */
        public Builder clock(LongSupplier value) {
            this.clock = Objects.requireNonNull(value, "clock");
            return this;
        }

        public CircuitBreaker build() {
            return new CircuitBreaker(this);
        }
    }
}
