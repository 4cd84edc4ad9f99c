package app.notify;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;

/**
 * Distributes messages to the subscribers of topics.
 *
 * <p>Thread-safe. Handlers are called by the publishing thread, without any lock held, so they may use
 * the hub themselves. A message goes to those subscribed at the moment of publishing. The same user
 * may subscribe to a topic more than once and then gets each message as often.
 */
public class NotificationHub {

    /** A subscription, to be used for ending it. */
    public static final class Subscription {
        private final String topic;
        private final String user;
        private final Consumer<String> handler;

        private Subscription(String topic, String user, Consumer<String> handler) {
            this.topic = topic;
            this.user = user;
            this.handler = handler;
        }

        /** Returns the topic subscribed to. */
        public String topic() {
            return topic;
        }
    }

    private final ConcurrentMap<String, List<Subscription>> topics = new ConcurrentHashMap<>();

    /** Subscribes a user to a topic. */
    public Subscription subscribe(String topic, String user, Consumer<String> handler) {
        Subscription s = new Subscription(Objects.requireNonNull(topic),
                Objects.requireNonNull(user), Objects.requireNonNull(handler));
        subscriptions(topic).add(s);
        return s;
    }

    /** Ends a subscription; returns {@code false} if it was ended before. */
    public boolean unsubscribe(Subscription subscription) {
        return subscriptions(subscription.topic).remove(subscription);
    }

    /**
     * Publishes a message.
     *
     * @return the number of handlers called
     */
    public int publish(String topic, String message) {
        Subscription[] receivers = subscriptions(topic).toArray(new Subscription[0]);
        for (Subscription s : receivers) {
            s.handler.accept(message);
        }
        return receivers.length;
    }

    /** Returns whether the user has a subscription to the topic. */
    public boolean isSubscribed(String topic, String user) {
        for (Subscription s : subscriptions(topic)) {
            if (s.user.equals(user)) {
                return true;
            }
        }
        return false;
    }

    /** Returns the number of subscriptions to the topic. */
    public int count(String topic) {
        return subscriptions(topic).size();
    }

    private List<Subscription> subscriptions(String topic) {
        return topics.computeIfAbsent(topic, t -> Collections.synchronizedList(new ArrayList<>()));
    }
}
