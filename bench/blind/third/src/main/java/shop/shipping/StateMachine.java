package shop.shipping;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Base of the workflows: holds the current state and the states passed through. All methods lock the
 * object itself; subclasses that need several steps to be atomic do the same.
 *
 * @param <S> the states
 */
abstract class StateMachine<S extends Enum<S>> {

    private final List<S> history = new ArrayList<>();
    private S state;

    StateMachine(S initial) {
        this.state = Objects.requireNonNull(initial, "initial");
        history.add(initial);
    }

    /** Returns the current state. */
    public synchronized S state() {
        return state;
    }

    /** Returns a copy of the list of all states entered so far, the current one being the last. */
    public synchronized List<S> history() {
        return List.copyOf(history);
    }

    /** Goes from one state to another; returns false if the machine is not in the first one. */
    protected synchronized boolean transition(S from, S to) {
        if (state != from) {
            return false;
        }
        enter(to);
        return true;
    }

    /** Goes to a state, whatever the current one is. */
    protected synchronized void enter(S next) {
        state = Objects.requireNonNull(next, "next");
        history.add(next);
    }
}
