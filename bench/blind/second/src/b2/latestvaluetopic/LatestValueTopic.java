package b2.latestvaluetopic;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A topic that remembers its latest value. A new subscriber receives the latest value, if there is
 * one, and then all values that are published afterwards.
 *
 * <p>Thread-safe. No subscriber misses a value that is published after its subscription.
 */
public class LatestValueTopic<T> {
    private final List<Subscription<T>> subscriptions = new CopyOnWriteArrayList<>();
    private volatile T latest;

    /** Publishes a value. It has been delivered to all subscribers when the method returns. */
    public synchronized void publish(T value) {
        latest = Objects.requireNonNull(value);
        for (Subscription<T> subscription : subscriptions) {
            subscription.deliver(value);
        }
    }

    /** Subscribes to the topic. */
    public Subscription<T> subscribe() {
        Subscription<T> subscription = new Subscription<>();
        T value = latest;
        if (value != null) {
            subscription.deliver(value);
        }
        subscriptions.add(subscription);
        return subscription;
    }

    /** Ends a subscription; returns false if it had ended already. */
    public synchronized boolean unsubscribe(Subscription<T> subscription) {
        return subscriptions.remove(subscription);
    }

    /** Returns the latest value, or null. Its delivery to the subscribers may still be going on. */
    public T latest() {
        return latest;
    }
}
