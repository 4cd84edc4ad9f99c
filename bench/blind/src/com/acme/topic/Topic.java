package com.acme.topic;

import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * A topic to which messages are published. Subscribers are called by the
 * publishing thread and without any lock held, so they may subscribe,
 * unsubscribe and publish themselves.
 *
 * <p>Thread-safe. A message goes to those who were subscribed when publishing
 * began; a subscriber may therefore still be called shortly after it has
 * unsubscribed, and messages of different threads may reach subscribers in
 * different orders.
 */
public class Topic<M> {

    /** Handle of a subscription; closing it again has no effect. */
    public static final class Subscription<M> implements AutoCloseable {
        private final Topic<M> topic;
        private final Consumer<? super M> subscriber;

        private Subscription(Topic<M> topic, Consumer<? super M> subscriber) {
            this.topic = topic;
            this.subscriber = subscriber;
        }

        /** Whether messages published from now on are received. */
        public boolean isActive() {
            return topic.subscriptions.contains(this);
        }

        @Override
        public void close() {
            topic.subscriptions.remove(this);
        }
    }

    private final CopyOnWriteArrayList<Subscription<M>> subscriptions = new CopyOnWriteArrayList<>();

    /** Subscribes; the same subscriber may do so several times. */
    public Subscription<M> subscribe(Consumer<? super M> subscriber) {
        Subscription<M> s = new Subscription<>(this, Objects.requireNonNull(subscriber));
        subscriptions.add(s);
        return s;
    }

    /**
     * Publishes a message. Exceptions of subscribers are dropped.
     *
     * @return number of subscribers called
     */
    public int publish(M message) {
        int n = 0;
        for (Subscription<M> s : subscriptions) {
            n++;
            try {
                s.subscriber.accept(message);
            } catch (RuntimeException ignored) {
                // the other subscribers must not suffer
            }
        }
        return n;
    }

    public int subscriberCount() {
        return subscriptions.size();
    }
}
