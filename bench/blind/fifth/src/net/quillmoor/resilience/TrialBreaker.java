package net.quillmoor.resilience;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A circuit breaker. After a number of failures in a row calls are refused for a while; then a single
 * trial call is let through, and its outcome closes or reopens the breaker.
 *
 * <p>Thread-safe and lock-free. Outcomes are not tied to calls: the first outcome reported while a
 * trial is on decides it, even if it stems from a call made earlier. A caller that was let through
 * must report an outcome, otherwise a trial never ends.
 */
public final class TrialBreaker {

    /** What the breaker does with calls. */
    public enum Mode {
        /** Lets all calls through. */
        CLOSED,
        /** Refuses all calls. */
        OPEN,
        /** One trial call is on, all others are refused. */
        TRIAL
    }

    /** The time and the notifications the breaker needs. */
    public interface Environment {
        /** Returns a time in milliseconds that does not go back. */
        long millis();

        /** Called after the mode was changed, possibly by several threads at once. */
        default void changed(Mode mode) {
        }
    }

    /** Each change makes a new instance; instances are compared by identity. */
    private record State(Mode mode, int failures, long openedAt) {
        static State of(Mode mode) {
            return new State(mode, 0, 0);
        }
    }

    private final Environment environment;
    private final int threshold;
    private final long coolMillis;
    private final AtomicReference<State> state = new AtomicReference<>(State.of(Mode.CLOSED));

    /**
     * Creates a closed breaker.
     *
     * @param environment time and notifications
     * @param threshold how many failures in a row open the breaker, positive
     * @param coolMillis how long to refuse calls before the trial
     */
    public TrialBreaker(Environment environment, int threshold, long coolMillis) {
        if (threshold < 1 || coolMillis < 0) {
            throw new IllegalArgumentException("threshold " + threshold + ", cool " + coolMillis);
        }
        this.environment = Objects.requireNonNull(environment, "environment");
        this.threshold = threshold;
        this.coolMillis = coolMillis;
    }

    /** Tells whether the caller may make its call. */
    public boolean tryEnter() {
        for (;;) {
            State seen = state.get();
            switch (seen.mode()) {
                case CLOSED:
                    return true;
                case TRIAL:
                    return false;
                default:
                    if (environment.millis() - seen.openedAt() < coolMillis) {
                        return false;
                    }
                    if (state.compareAndSet(seen, State.of(Mode.TRIAL))) {
                        environment.changed(Mode.TRIAL);
                        return true;
                    }
            }
        }
    }

    /** Reports that a call went well. Ignored while open. */
    public void succeeded() {
        for (;;) {
            State seen = state.get();
            if (seen.mode() == Mode.OPEN || seen.mode() == Mode.CLOSED && seen.failures() == 0) {
                return;
            }
            if (state.compareAndSet(seen, State.of(Mode.CLOSED))) {
                if (seen.mode() == Mode.TRIAL) {
                    environment.changed(Mode.CLOSED);
                }
                return;
            }
        }
    }

    /** Reports that a call failed. Ignored while open. */
    public void failed() {
        for (;;) {
            State seen = state.get();
            if (seen.mode() == Mode.OPEN) {
                return;
            }
            boolean opens = seen.mode() == Mode.TRIAL || seen.failures() + 1 >= threshold;
            State next = opens
                    ? new State(Mode.OPEN, 0, environment.millis())
                    : new State(Mode.CLOSED, seen.failures() + 1, 0);
            if (state.compareAndSet(seen, next)) {
                if (opens) {
                    environment.changed(Mode.OPEN);
                }
                return;
            }
        }
    }

    /** Returns the current mode. */
    public Mode mode() {
        return state.get().mode();
    }
}
