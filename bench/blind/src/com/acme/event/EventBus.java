package com.acme.event;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;

/**
 * A minimal synchronous event bus. Subscribers are called in the order of
 * their subscription by the thread that publishes.
 *
 * <p>Subscribing, unsubscribing and publishing may be done concurrently from
 * any thread.
 */
public class EventBus {

    /** Receives events. */
    @FunctionalInterface
    public interface Subscriber {
        void onEvent(Object event);
    }

    private final List<Subscriber> subscribers =
            Collections.synchronizedList(new ArrayList<>());

    /**
     * Adds a subscriber.
     *
     * @return false if it was subscribed already
     */
    public boolean subscribe(Subscriber s) {
        Objects.requireNonNull(s);
        synchronized (subscribers) {
            if (subscribers.contains(s)) {
                return false;
            }
            return subscribers.add(s);
        }
    }

    /** Removes a subscriber. */
    public boolean unsubscribe(Subscriber s) {
        return subscribers.remove(s);
    }

    /**
     * Calls all subscribers. An exception of one of them does not keep the
     * event from the others.
     *
     * @return number of subscribers that took the event without an exception
     */
    public int publish(Object event) {
        int delivered = 0;
        for (Subscriber s : subscribers) {
            if (deliver(s, event)) {
                delivered++;
            }
        }
        return delivered;
    }

    private static boolean deliver(Subscriber s, Object event) {
        try {
            s.onEvent(event);
            return true;
        } catch (RuntimeException e) {
            return false;
        }
    }

    public int subscriberCount() {
        return subscribers.size();
    }
}
