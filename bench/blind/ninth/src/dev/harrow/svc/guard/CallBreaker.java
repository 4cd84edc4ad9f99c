package dev.harrow.svc.guard;

import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A circuit breaker. After {@code threshold} failures in a row it opens and refuses calls for the
 * whole cool-down; then one trial call is let through, whose outcome closes or reopens it.
 */
public final class CallBreaker {

    /** Where the breaker stands. */
    public enum State { CLOSED, OPEN, HALF_OPEN }

    private final AtomicReference<State> state = new AtomicReference<>(State.CLOSED);
    private final AtomicInteger failures = new AtomicInteger();
    private final int threshold;
    private final long coolDownMillis;
    private final Clock clock;
    private volatile long openedAt;

    public CallBreaker(int threshold, Duration coolDown, Clock clock) {
        if (threshold < 1) {
            throw new IllegalArgumentException("threshold must be positive");
        }
        this.threshold = threshold;
        this.coolDownMillis = coolDown.toMillis();
        this.clock = clock;
    }

    /** Whether a call may be made now. */
    public boolean allow() {
        switch (state.get()) {
            case CLOSED:
                return true;
            case OPEN:
                if (clock.millis() - openedAt < coolDownMillis) {
                    return false;
                }
                return state.compareAndSet(State.OPEN, State.HALF_OPEN);
            default:
                return false;
        }
    }

    /** Reports that an allowed call went well. */
    public void onSuccess() {
        failures.set(0);
        state.compareAndSet(State.HALF_OPEN, State.CLOSED);
    }

    /** Reports that an allowed call failed. */
    public void onFailure() {
        if (state.get() == State.HALF_OPEN || failures.incrementAndGet() >= threshold) {
            trip();
        }
    }

    public State state() {
        return state.get();
    }

    private void trip() {
        if (state.getAndSet(State.OPEN) != State.OPEN) {
            openedAt = clock.millis();
            failures.set(0);
        }
    }

    @Override
    public String toString() {
        return "CallBreaker[" + state.get() + ", failures=" + failures.get() + ']';
    }
}
