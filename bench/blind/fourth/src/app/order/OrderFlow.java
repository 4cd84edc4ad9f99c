package app.order;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;

/**
 * The life of an order: it is paid in one or more parts, shipped and delivered, or cancelled before it
 * is shipped.
 *
 * <p>Thread-safe and lock-free. Every transition is atomic; one that is not allowed in the current
 * status is refused with an {@link IllegalStateException} and changes nothing. Of several threads
 * trying the same transition at the same time exactly one succeeds, apart from payments, which add
 * up.
 */
public final class OrderFlow {

    /** Where the order is. */
    public enum Status { OPEN, PAID, SHIPPED, DELIVERED, CANCELLED }

    /** Consistent state of an order; the version counts the transitions and payments. */
    public record State(Status status, long paid, int version) {
        private State next(Status s, long p) {
            return new State(s, p, version + 1);
        }
    }

    private final long price;
    private final AtomicReference<State> state = new AtomicReference<>(new State(Status.OPEN, 0, 0));

    /**
     * @param price what must be paid, at least 1
     */
    public OrderFlow(long price) {
        if (price < 1) {
            throw new IllegalArgumentException("price: " + price);
        }
        this.price = price;
    }

    /**
     * Pays a part of the price; the order becomes paid with the last part.
     *
     * @return the amount still to be paid
     * @throws IllegalArgumentException if the amount is not positive or more than is still to be paid
     */
    public long pay(long amount) {
        State after = transition(s -> {
            require(s, Status.OPEN);
            if (amount <= 0 || amount > price - s.paid()) {
                throw new IllegalArgumentException("amount: " + amount);
            }
            long paid = s.paid() + amount;
            return s.next(paid == price ? Status.PAID : Status.OPEN, paid);
        });
        return price - after.paid();
    }

    /** Marks a paid order as shipped. */
    public void ship() {
        transition(s -> require(s, Status.PAID).next(Status.SHIPPED, s.paid()));
    }

    /** Marks a shipped order as delivered. */
    public void deliver() {
        transition(s -> require(s, Status.SHIPPED).next(Status.DELIVERED, s.paid()));
    }

    /**
     * Cancels an order which is not shipped.
     *
     * @return the amount to be paid back
     */
    public long cancel() {
        return transition(s -> {
            if (s.status() != Status.PAID) {
                require(s, Status.OPEN);
            }
            return s.next(Status.CANCELLED, s.paid());
        }).paid();
    }

    /** Returns the current state. */
    public State state() {
        return state.get();
    }

    private State transition(UnaryOperator<State> step) {
        for (;;) {
            State before = state.get();
            State after = step.apply(before);
            if (state.compareAndSet(before, after)) {
                return after;
            }
        }
    }

    private static State require(State s, Status expected) {
        if (s.status() != expected) {
            throw new IllegalStateException("order is " + s.status());
        }
        return s;
    }
}
