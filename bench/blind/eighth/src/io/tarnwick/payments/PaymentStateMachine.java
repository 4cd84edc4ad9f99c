package io.tarnwick.payments;

import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * The life of payments: authorised, captured, refunded, or voided before capture.
 *
 * <p>Thread-safe. Of several threads that send events to one payment each sees the
 * outcome of its own event. Notifications of transitions made by different threads
 * may arrive in any order.
 */
public class PaymentStateMachine {

    /** States of a payment. */
    public enum State { AUTHORISED, CAPTURED, REFUNDED, VOIDED }

    /** What can happen to a payment. */
    public enum Event { CAPTURE, REFUND, VOID }

    /** Is told about transitions. */
    public interface Journal {
        void entered(String paymentId, State state);
    }

    private final ConcurrentMap<String, State> payments = new ConcurrentHashMap<>();
    private final Journal journal;

    public PaymentStateMachine() {
        this((id, state) -> { });
    }

    public PaymentStateMachine(Journal journal) {
        this.journal = Objects.requireNonNull(journal, "journal");
    }

    /** Opens an authorised payment; false if the id is in use. */
    public boolean authorise(String paymentId) {
        if (payments.containsKey(paymentId)) {
            return false;
        }
        if (payments.putIfAbsent(paymentId, State.AUTHORISED) != null) {
            return false;
        }
        journal.entered(paymentId, State.AUTHORISED);
        return true;
    }

    /**
     * Applies an event.
     *
     * @return whether the event was possible in the state of the payment
     */
    public boolean apply(String paymentId, Event event) {
        for (;;) {
            State current = payments.get(paymentId);
            if (current == null) {
                return false;
            }
            State next = target(current, event);
            if (next == null) {
                return false;
            }
            if (payments.replace(paymentId, current, next)) {
                journal.entered(paymentId, next);
                return true;
            }
        }
    }

    /** The state of a payment, if there is one of that id. */
    public Optional<State> state(String paymentId) {
        return Optional.ofNullable(payments.get(paymentId));
    }

    /** Forgets a payment that is refunded or voided. */
    public boolean archive(String paymentId) {
        State current = payments.get(paymentId);
        if (current != State.REFUNDED && current != State.VOIDED) {
            return false;
        }
        return payments.remove(paymentId, current);
    }

    /**
     * Forgets the payments that are refunded or voided. Payments that get there while
     * this is running may or may not be included.
     *
     * @return how many were forgotten by this call
     */
    public int archiveFinished() {
        int archived = 0;
        for (Map.Entry<String, State> e : payments.entrySet()) {
            if (archive(e.getKey())) {
                archived++;
            }
        }
        return archived;
    }

    private static State target(State from, Event event) {
        switch (event) {
            case CAPTURE: return from == State.AUTHORISED ? State.CAPTURED : null;
            case VOID: return from == State.AUTHORISED ? State.VOIDED : null;
            case REFUND: return from == State.CAPTURED ? State.REFUNDED : null;
            default: return null;
        }
    }
}
