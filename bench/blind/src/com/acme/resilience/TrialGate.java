package com.acme.resilience;

import java.util.concurrent.atomic.AtomicReference;

/**
 * A lock-free circuit breaker whose whole state is one immutable object that
 * is replaced atomically. In half open state exactly one trial is let through.
 * Thread-safe.
 */
public class TrialGate {

    /** Modes of the gate. */
    public enum Mode { CLOSED, OPEN, HALF_OPEN }

    private static final class State {
        final Mode mode;
        final int failures;
        final boolean trial;

        State(Mode mode, int failures, boolean trial) {
            this.mode = mode;
            this.failures = failures;
            this.trial = trial;
        }
    }

    private static final State CLOSED = new State(Mode.CLOSED, 0, false);

    private final int threshold;
    private final AtomicReference<State> state = new AtomicReference<>(CLOSED);

    public TrialGate() {
        this(2);
    }

    public TrialGate(int threshold) {
        if (threshold < 1) {
            throw new IllegalArgumentException("threshold: " + threshold);
        }
        this.threshold = threshold;
    }

    /** Whether a call may be made. */
    public boolean tryEnter() {
        for (;;) {
            State s = state.get();
            if (s.mode == Mode.CLOSED) {
                return true;
            }
            if (s.mode == Mode.OPEN || s.trial) {
                return false;
            }
            if (state.compareAndSet(s, new State(Mode.HALF_OPEN, s.failures, true))) {
                return true;
            }
        }
    }

    /** Reports a success: closes the gate unless it is open. */
    public void succeeded() {
        state.updateAndGet(s -> s.mode == Mode.OPEN ? s : CLOSED);
    }

    /** Reports a failure; returns the mode after it. */
    public Mode failed() {
        return state.updateAndGet(s -> {
            int n = s.failures + 1;
            if (s.mode == Mode.CLOSED && n < threshold) {
                return new State(Mode.CLOSED, n, false);
            }
            return new State(Mode.OPEN, n, false);
        }).mode;
    }

    /** Goes from open to half open; false if it was not open. */
    public boolean halfOpen() {
        State s = state.get();
        while (s.mode == Mode.OPEN) {
            if (state.compareAndSet(s, new State(Mode.HALF_OPEN, 0, false))) {
                return true;
            }
            s = state.get();
        }
        return false;
    }

    public Mode mode() {
        return state.get().mode;
    }
}
