package net.harborline.events;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * Small in-process event bus. Events are published to a topic and delivered to the subscribers of
 * that topic in the thread of the publisher.
 *
 * <p>Subscribing, unsubscribing and publishing are allowed at any time from any thread.
 */
public class TopicBus {

    private final ConcurrentMap<String, List<Consumer<Object>>> subscribers = new ConcurrentHashMap<>();
    private final AtomicLong deliveries = new AtomicLong();

    /** Adds a subscriber to a topic. */
    public void subscribe(String topic, Consumer<Object> subscriber) {
        Objects.requireNonNull(subscriber, "subscriber");
        subscribers
                .computeIfAbsent(topic, t -> Collections.synchronizedList(new ArrayList<>()))
                .add(subscriber);
    }

    /**
     * Removes a subscriber from a topic.
     *
     * @return whether it was subscribed
     */
    public boolean unsubscribe(String topic, Consumer<Object> subscriber) {
        List<Consumer<Object>> list = subscribers.get(topic);
        return list != null && list.remove(subscriber);
    }

    /**
     * Delivers an event to all subscribers of a topic.
     *
     * @return the number of subscribers reached
     */
    public int publish(String topic, Object event) {
        List<Consumer<Object>> list = subscribers.get(topic);
        if (list == null) {
            return 0;
        }
        int reached = 0;
        for (Consumer<Object> subscriber : list) {
            subscriber.accept(event);
            reached++;
        }
        deliveries.addAndGet(reached);
        return reached;
    }

    /** Returns the number of subscribers of a topic. */
    public int subscriberCount(String topic) {
        List<Consumer<Object>> list = subscribers.get(topic);
        return list == null ? 0 : list.size();
    }

    /** Returns the number of deliveries made since the bus was created. */
    public long deliveries() {
        return deliveries.get();
    }
}
