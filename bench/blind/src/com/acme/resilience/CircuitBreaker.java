package com.acme.resilience;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * A circuit breaker. It opens after a number of consecutive failures; when it
 * is half open exactly one trial call is let through, whose outcome closes or
 * opens it again.
 *
 * <p>Safe for use by many threads. Create one with {@link #builder()}.
 */
public final class CircuitBreaker {

    /** States of a breaker. */
    public enum State { CLOSED, OPEN, HALF_OPEN }

    /** Builds breakers. */
    public static final class Builder {
        private String name = "default";
        private int failureThreshold = 3;

        Builder() {
        }

        public Builder name(String name) {
            this.name = name;
            return this;
        }

        public Builder failureThreshold(int n) {
            if (n < 1) {
                throw new IllegalArgumentException("failureThreshold: " + n);
            }
            this.failureThreshold = n;
            return this;
        }

        public CircuitBreaker build() {
            return new CircuitBreaker(name, failureThreshold);
        }
    }

    private final String name;
    private final int failureThreshold;
    private final AtomicInteger failures = new AtomicInteger();
    private volatile State state = State.CLOSED;
    private volatile boolean trialInFlight;

    private CircuitBreaker(String name, int failureThreshold) {
        this.name = name;
        this.failureThreshold = failureThreshold;
    }

    public static Builder builder() {
        return new Builder();
    }

    /** Whether a call may be made now. In half open state one caller gets true. */
    public boolean tryAcquire() {
        switch (state) {
            case CLOSED:
                return true;
            case OPEN:
                return false;
            default:
                if (trialInFlight) {
                    return false;
                }
                trialInFlight = true;
                return true;
        }
    }

    /** Reports a call that succeeded. */
    public synchronized void onSuccess() {
        failures.set(0);
        trialInFlight = false;
        if (state == State.HALF_OPEN) {
            state = State.CLOSED;
        }
    }

    /** Reports a call that failed. */
    public synchronized void onFailure() {
        trialInFlight = false;
        if (state == State.HALF_OPEN || failures.incrementAndGet() >= failureThreshold) {
            state = State.OPEN;
        }
    }

    /** Opens the breaker at once. */
    public synchronized void trip() {
        state = State.OPEN;
    }

    /**
     * Goes from open to half open; called by the owner's timer.
     *
     * @return whether the breaker was open
     */
    public synchronized boolean halfOpen() {
        if (state != State.OPEN) {
            return false;
        }
        trialInFlight = false;
        state = State.HALF_OPEN;
        return true;
    }

    public State state() {
        return state;
    }

    public String name() {
        return name;
    }
}
