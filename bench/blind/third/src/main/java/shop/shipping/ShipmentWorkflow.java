package shop.shipping;

import java.util.Objects;
import java.util.Optional;

/**
 * The life of one shipment: it is packed, handed to a carrier, and delivered. Until it is handed to
 * the carrier it can be cancelled. A shipment that was sent is never cancelled, and a cancelled one
 * is never sent.
 *
 * <p>Thread-safe: the warehouse, the carrier's callbacks and customer service may use the same
 * shipment at the same time.
 */
public class ShipmentWorkflow extends StateMachine<ShipmentWorkflow.Status> {

    /** Where a shipment is. */
    public enum Status {
        CREATED, PACKED, SENT, DELIVERED, CANCELLED;

        /** Tells whether a shipment in this state can still be held back. */
        public boolean isCancellable() {
            return this == CREATED || this == PACKED;
        }
    }

    private final String orderId;
    private String trackingNumber;
    private String cancelReason;

    /** Starts the workflow of a new shipment. */
    public ShipmentWorkflow(String orderId) {
        super(Status.CREATED);
        this.orderId = Objects.requireNonNull(orderId, "orderId");
    }

    public String orderId() {
        return orderId;
    }

    /** Notes that the parcel is packed; returns false if it was packed before or cancelled. */
    public boolean pack() {
        return transition(Status.CREATED, Status.PACKED);
    }

    /**
     * Hands the parcel to the carrier.
     *
     * @param tracking the carrier's number for the parcel
     * @return false if the shipment is not packed, was sent before or is cancelled
     */
    public synchronized boolean send(String tracking) {
        Objects.requireNonNull(tracking, "tracking");
        if (!transition(Status.PACKED, Status.SENT)) {
            return false;
        }
        trackingNumber = tracking;
        return true;
    }

    /** Notes that the customer has got the parcel; returns false if it is not on its way. */
    public boolean deliver() {
        return transition(Status.SENT, Status.DELIVERED);
    }

    /**
     * Cancels the shipment.
     *
     * @param reason why, for the customer's information
     * @return false if it is too late for that, or the shipment was cancelled before
     */
    public boolean cancel(String reason) {
        Objects.requireNonNull(reason, "reason");
        if (!state().isCancellable()) {
            return false;
        }
        noteCancellation(reason);
        return true;
    }

    /** Returns the carrier's number if the parcel was sent. */
    public synchronized Optional<String> trackingNumber() {
        return Optional.ofNullable(trackingNumber);
    }

    /** Returns why the shipment was cancelled, if it was. */
    public synchronized Optional<String> cancelReason() {
        return Optional.ofNullable(cancelReason);
    }

    private synchronized void noteCancellation(String reason) {
        enter(Status.CANCELLED);
        cancelReason = reason;
    }
}
