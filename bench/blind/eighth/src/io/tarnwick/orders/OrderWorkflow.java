package io.tarnwick.orders;

import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Drives orders through their life cycle. An order starts as {@link State#NEW},
 * is paid, packed and shipped; while paid it may be put on hold and resumed, and
 * it may be cancelled until it has been shipped. {@link State#SHIPPED} and
 * {@link State#CANCELLED} are final.
 *
 * <p>One instance is shared by all request threads.
 */
public class OrderWorkflow {

    /** Where an order is in its life. */
    public enum State {
        NEW, PAID, PACKED, SHIPPED, ON_HOLD, CANCELLED;

        boolean isFinal() {
            return this == SHIPPED || this == CANCELLED;
        }

        State successor() {
            switch (this) {
                case NEW: return PAID;
                case PAID: return PACKED;
                case PACKED: return SHIPPED;
                default: return null;
            }
        }
    }

    /** Told about each transition after it has taken place. */
    public interface TransitionListener {
        void moved(String orderId, State from, State to);
    }

    private final ConcurrentMap<String, State> states = new ConcurrentHashMap<>();
    private final TransitionListener listener;

    public OrderWorkflow(TransitionListener listener) {
        this.listener = Objects.requireNonNull(listener, "listener");
    }

    public OrderWorkflow() {
        this((id, from, to) -> { });
    }

    /** Enters a new order; false if the id is taken. */
    public boolean submit(String orderId) {
        return states.putIfAbsent(orderId, State.NEW) == null;
    }

    /**
     * Moves the order to the next regular state.
     *
     * @return the state reached, or empty if there is no such step
     */
    public Optional<State> advance(String orderId) {
        while (true) {
            State current = states.get(orderId);
            State next = current == null ? null : current.successor();
            if (next == null) {
                return Optional.empty();
            }
            if (states.replace(orderId, current, next)) {
                listener.moved(orderId, current, next);
                return Optional.of(next);
            }
        }
    }

    /** Puts a paid order on hold. */
    public boolean hold(String orderId) {
        if (!states.replace(orderId, State.PAID, State.ON_HOLD)) {
            return false;
        }
        listener.moved(orderId, State.PAID, State.ON_HOLD);
        return true;
    }

    /** Takes an order off hold, back to paid. */
    public boolean resume(String orderId) {
        if (states.get(orderId) != State.ON_HOLD) {
            return false;
        }
        states.put(orderId, State.PAID);
        listener.moved(orderId, State.ON_HOLD, State.PAID);
        return true;
    }

    /** Cancels the order unless it has reached a final state; a cancelled order stays cancelled. */
    public boolean cancel(String orderId) {
        while (true) {
            State current = states.get(orderId);
            if (current == null || current.isFinal()) {
                return false;
            }
            if (states.replace(orderId, current, State.CANCELLED)) {
                listener.moved(orderId, current, State.CANCELLED);
                return true;
            }
        }
    }

    /** The present state of the order. */
    public Optional<State> stateOf(String orderId) {
        return Optional.ofNullable(states.get(orderId));
    }
}
