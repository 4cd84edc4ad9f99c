package net.harborline.remote;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;

/**
 * Circuit breaker for calls to a remote service.
 *
 * <p>The breaker opens after a number of consecutive failures and rejects calls until the
 * cool-down period, counted from the moment of opening, has passed. It then lets a single trial
 * call through. If the trial succeeds, the breaker closes, otherwise it opens again for another
 * period. All methods may be called from any thread.
 */
public class CallBreaker {

    /** State of the breaker. */
    public enum State {
        CLOSED,
        OPEN,
        TRIAL
    }

    private final int threshold;
    private final long coolDownMillis;
    private final LongSupplier clock;

    private final AtomicReference<State> state = new AtomicReference<>(State.CLOSED);
    private final AtomicInteger failures = new AtomicInteger();
    private final AtomicLong openedAt = new AtomicLong();

    public CallBreaker(int threshold, long coolDownMillis) {
        this(threshold, coolDownMillis, System::currentTimeMillis);
    }

    public CallBreaker(int threshold, long coolDownMillis, LongSupplier clock) {
        if (threshold < 1 || coolDownMillis < 0) {
            throw new IllegalArgumentException();
        }
        this.threshold = threshold;
        this.coolDownMillis = coolDownMillis;
        this.clock = Objects.requireNonNull(clock, "clock");
    }

    /**
     * Asks for permission to call the service.
     *
     * @return whether the call may be made; its outcome must then be reported
     */
    public boolean permit() {
        switch (state.get()) {
            case CLOSED:
                return true;
            case OPEN:
                if (clock.getAsLong() - openedAt.get() < coolDownMillis) {
                    return false;
                }
                return state.compareAndSet(State.OPEN, State.TRIAL);
            default:
                return false;
        }
    }

    /** Reports that a call went well. */
    public void succeeded() {
        failures.set(0);
        state.compareAndSet(State.TRIAL, State.CLOSED);
    }

    /** Reports that a call failed. */
    public void failed() {
        if (state.compareAndSet(State.TRIAL, State.OPEN)) {
            openedAt.set(clock.getAsLong());
            return;
        }
        if (failures.incrementAndGet() >= threshold && state.compareAndSet(State.CLOSED, State.OPEN)) {
            openedAt.set(clock.getAsLong());
            failures.set(0);
        }
    }

    /** Returns the current state. */
    public State state() {
        return state.get();
    }
}
