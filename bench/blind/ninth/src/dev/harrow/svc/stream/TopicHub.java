package dev.harrow.svc.stream;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Fans messages out to any number of subscriptions, each with its own bounded backlog. A slow
 * subscriber loses its oldest messages and never holds up the publisher.
 *
 * @param <M> the message type
 */
public class TopicHub<M> {

    private final int backlogLimit;
    private final List<Subscription> subscriptions = new ArrayList<>();
    private long published;

    public TopicHub(int backlogLimit) {
        if (backlogLimit < 1) {
            throw new IllegalArgumentException("backlogLimit must be positive");
        }
        this.backlogLimit = backlogLimit;
    }

    public synchronized Subscription subscribe() {
        Subscription subscription = new Subscription();
        subscriptions.add(subscription);
        return subscription;
    }

    /** Appends the message to every live backlog and returns how many took it. */
    public synchronized int publish(M message) {
        int takers = 0;
        for (Subscription subscription : subscriptions) {
            if (subscription.enqueue(message)) {
                takers++;
            }
        }
        published++;
        return takers;
    }

    public synchronized long publishedCount() {
        return published;
    }

    public synchronized int subscriberCount() {
        return subscriptions.size();
    }

    private synchronized void detach(Subscription subscription) {
        subscriptions.remove(subscription);
    }

    /** One subscriber's view of the topic. */
    public final class Subscription implements AutoCloseable {

        private final Deque<M> backlog = new ArrayDeque<>();
        private boolean cancelled;

        private Subscription() {
        }

        private synchronized boolean enqueue(M message) {
            if (cancelled) {
                return false;
            }
            if (backlog.size() == backlogLimit) {
                backlog.removeFirst();
            }
            backlog.addLast(message);
            return true;
        }

        /** The oldest message not yet seen, or {@code null}. */
        public synchronized M poll() {
            return backlog.pollFirst();
        }

        public synchronized int pending() {
            return backlog.size();
        }

        /** Ends the subscription and drops its backlog; further calls have no effect. */
        @Override
        public synchronized void close() {
            if (!cancelled) {
                cancelled = true;
                backlog.clear();
                detach(this);
            }
        }
    }
}
