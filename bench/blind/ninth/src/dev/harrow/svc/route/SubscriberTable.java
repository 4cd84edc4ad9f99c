package dev.harrow.svc.route;

import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Which subscribers are interested in which topics. Topics nobody is interested in take up no
 * space. All methods may be called concurrently.
 *
 * @param <T> the topic type
 * @param <S> the subscriber type
 */
public final class SubscriberTable<T, S> {

    private final ConcurrentMap<T, Set<S>> byTopic = new ConcurrentHashMap<>();

    /** Registers the interest and returns whether it is new. */
    public boolean add(T topic, S subscriber) {
        Objects.requireNonNull(subscriber);
        return byTopic.computeIfAbsent(topic, t -> ConcurrentHashMap.newKeySet()).add(subscriber);
    }

    /** Ends the interest and returns whether there was any. */
    public boolean remove(T topic, S subscriber) {
        Set<S> subscribers = byTopic.get(topic);
        if (subscribers == null || !subscribers.remove(subscriber)) {
            return false;
        }
        if (subscribers.isEmpty()) {
            byTopic.remove(topic, subscribers);
        }
        return true;
    }

    public boolean contains(T topic, S subscriber) {
        Set<S> subscribers = byTopic.get(topic);
        return subscribers != null && subscribers.contains(subscriber);
    }

    /** A copy of the current subscribers of the topic. */
    public Set<S> subscribers(T topic) {
        Set<S> subscribers = byTopic.get(topic);
        return subscribers == null ? Set.of() : Set.copyOf(subscribers);
    }

    /** A copy of the topics somebody is interested in. */
    public Set<T> topics() {
        return Set.copyOf(byTopic.keySet());
    }
}
