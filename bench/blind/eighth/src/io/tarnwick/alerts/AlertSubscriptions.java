package io.tarnwick.alerts;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Subscriptions to alerts by topic. Topics come into being with their first
 * subscriber and vanish with their last.
 *
 * <p>Thread-safe. An alert goes to those who are subscribed when {@link #raise} begins;
 * somebody who cancels meanwhile may still get it. Subscribers may subscribe, cancel
 * and raise alerts from within the call.
 */
public class AlertSubscriptions {

    /** Gets alerts. */
    public interface Subscriber {
        void alert(String topic, String text);
    }

    /** A subscription that can be ended. */
    public final class Ticket {
        private final String topic;
        private final Subscriber subscriber;

        private Ticket(String topic, Subscriber subscriber) {
            this.topic = topic;
            this.subscriber = subscriber;
        }

        /** Ends the subscription; doing so again has no effect. */
        public void cancel() {
            tickets.computeIfPresent(topic, (name, present) -> {
                List<Ticket> rest = new ArrayList<>(present);
                rest.remove(this);
                return rest.isEmpty() ? null : rest;
            });
        }

        /** Whether the subscription is in force. */
        public boolean isActive() {
            return tickets.getOrDefault(topic, Collections.emptyList()).contains(this);
        }
    }

    private final ConcurrentMap<String, List<Ticket>> tickets = new ConcurrentHashMap<>();

    /** Subscribes to a topic. */
    public Ticket subscribe(String topic, Subscriber subscriber) {
        Ticket ticket = new Ticket(topic, Objects.requireNonNull(subscriber, "subscriber"));
        tickets.compute(topic, (name, present) -> {
            List<Ticket> all = present == null ? new ArrayList<>() : new ArrayList<>(present);
            all.add(ticket);
            return all;
        });
        return ticket;
    }

    /**
     * Raises an alert.
     *
     * @return how many subscribers it went to
     */
    public int raise(String topic, String text) {
        List<Ticket> present = tickets.get(topic);
        if (present == null) {
            return 0;
        }
        for (Ticket ticket : present) {
            ticket.subscriber.alert(topic, text);
        }
        return present.size();
    }

    /** How many subscribers the topic has. */
    public int subscribers(String topic) {
        List<Ticket> present = tickets.get(topic);
        return present == null ? 0 : present.size();
    }

    /** Whether anybody is subscribed to the topic. */
    public boolean hasTopic(String topic) {
        return tickets.containsKey(topic);
    }
}
