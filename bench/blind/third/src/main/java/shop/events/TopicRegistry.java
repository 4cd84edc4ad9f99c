package shop.events;

import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;

/**
 * Knows which subscribers are interested in which topics. Topics come into being with their first
 * subscriber and vanish with their last one, so that short-lived topics do not pile up.
 *
 * <p>Thread-safe. A subscription is in effect when {@link #subscribe} returns and stays so until
 * {@link #unsubscribe} is called for it.
 *
 * @param <S> the type of subscribers, compared by {@code equals}
 */
public class TopicRegistry<S> {

    private final ConcurrentMap<String, Set<S>> topics = new ConcurrentHashMap<>();

    /**
     * Subscribes to a topic.
     *
     * @return false if the subscriber already had a subscription to the topic
     */
    public boolean subscribe(String topic, S subscriber) {
        Objects.requireNonNull(subscriber, "subscriber");
        Set<S> subscribers = topics.computeIfAbsent(topic, t -> ConcurrentHashMap.newKeySet());
        return subscribers.add(subscriber);
    }

    /**
     * Ends a subscription.
     *
     * @return false if there was no such subscription
     */
    public boolean unsubscribe(String topic, S subscriber) {
        Set<S> subscribers = topics.get(topic);
        if (subscribers == null || !subscribers.remove(subscriber)) {
            return false;
        }
        if (subscribers.isEmpty()) {
            topics.remove(topic);
        }
        return true;
    }

    /** Tells whether a subscriber is subscribed to a topic. */
    public boolean isSubscribed(String topic, S subscriber) {
        Set<S> subscribers = topics.get(topic);
        return subscribers != null && subscribers.contains(subscriber);
    }

    /** Returns a copy of the subscribers of a topic, possibly empty. */
    public Set<S> subscribers(String topic) {
        Set<S> subscribers = topics.get(topic);
        return subscribers == null ? Set.of() : Set.copyOf(subscribers);
    }

    /**
     * Calls an action for each subscriber of a topic. Subscriptions that begin or end meanwhile may or
     * may not be taken into account.
     */
    public void forEachSubscriber(String topic, Consumer<? super S> action) {
        Set<S> subscribers = topics.get(topic);
        if (subscribers != null) {
            subscribers.forEach(action);
        }
    }

    /** Returns a sorted copy of the topics' names. */
    public Set<String> topics() {
        return new TreeSet<>(topics.keySet());
    }
}
