package org.larkspur.rx;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;

/**
 * A subscription that stands for another one, which can be exchanged.
 */
public final class SerialSubscription {

    /** Something that can be cancelled. Cancelling it again has no effect. */
    public interface Subscription {
        /** Cancels this subscription. */
        void cancel();

        /** Returns whether this subscription is cancelled. */
        boolean isCancelled();
    }

    private enum Cancelled implements Subscription {
        INSTANCE;

        @Override
        public void cancel() {
        }

        @Override
        public boolean isCancelled() {
            return true;
        }
    }

    private static final AtomicReferenceFieldUpdater<SerialSubscription, Subscription> CURRENT =
            AtomicReferenceFieldUpdater.newUpdater(
                    SerialSubscription.class, Subscription.class, "current");

    private volatile Subscription current;

    /** Creates a subscription that does not stand for any other one yet. */
    public SerialSubscription() {
    }

    /**
     * Exchanges the subscription and cancels the one that was in place before. If this subscription
     * is cancelled, the new one is cancelled instead.
     *
     * @param next the new subscription
     * @return false if this subscription is cancelled
     */
    public boolean set(Subscription next) {
        return exchange(next, true);
    }

    /**
     * Exchanges the subscription without cancelling the one that was in place before. If this
     * subscription is cancelled, the new one is cancelled.
     *
     * @param next the new subscription
     * @return false if this subscription is cancelled
     */
    public boolean replace(Subscription next) {
        return exchange(next, false);
    }

    /** Returns the subscription in place, null if there is none or this one is cancelled. */
    public Subscription current() {
        Subscription subscription = current;
        return subscription == Cancelled.INSTANCE ? null : subscription;
    }

    /** Returns whether this subscription is cancelled. */
    public boolean isCancelled() {
        return current == Cancelled.INSTANCE;
    }

    /** Cancels this subscription and the one it stands for. Cancelling it again has no effect. */
    public void cancel() {
        if (current != Cancelled.INSTANCE) {
            Subscription previous = CURRENT.getAndSet(this, Cancelled.INSTANCE);
            if (previous != null) {
                previous.cancel();
            }
        }
    }

    private boolean exchange(Subscription next, boolean cancelPrevious) {
        Objects.requireNonNull(next, "next");
        for (;;) {
            Subscription previous = current;
            if (previous == Cancelled.INSTANCE) {
                next.cancel();
                return false;
            }
            if (CURRENT.compareAndSet(this, previous, next)) {
                if (cancelPrevious && previous != null) {
                    previous.cancel();
                }
                return true;
            }
        }
    }
}
