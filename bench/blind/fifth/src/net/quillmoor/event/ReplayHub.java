package net.quillmoor.event;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * An event hub that keeps the latest events and hands them to late subscribers.
 *
 * <p>Thread-safe. Listeners are always called on the publishing (or subscribing) thread and never
 * while a lock of the hub is held, so they may freely call back into it.
 *
 * @param <E> the event type
 */
public final class ReplayHub<E> {

    private final ReentrantLock subscriberLock = new ReentrantLock();
    private final ReentrantLock historyLock = new ReentrantLock();
    private final List<Consumer<? super E>> subscribers = new ArrayList<>();
    private final Deque<E> history = new ArrayDeque<>();
    private final int depth;

    private ReplayHub(int depth) {
        this.depth = depth;
    }

    /**
     * Creates a hub.
     *
     * @param depth how many events to keep for late subscribers, not negative
     */
    public static <E> ReplayHub<E> keeping(int depth) {
        if (depth < 0) {
            throw new IllegalArgumentException("depth: " + depth);
        }
        return new ReplayHub<>(depth);
    }

    /** Adds a subscriber and hands it the events kept, oldest first. */
    public void subscribe(Consumer<? super E> subscriber) {
        Objects.requireNonNull(subscriber, "subscriber");
        List<E> missed;
        subscriberLock.lock();
        try {
            missed = recent();
            subscribers.add(subscriber);
        } finally {
            subscriberLock.unlock();
        }
        missed.forEach(subscriber);
    }

    /** Removes a subscriber; returns false if it was not subscribed. */
    public boolean unsubscribe(Consumer<? super E> subscriber) {
        subscriberLock.lock();
        try {
            return subscribers.remove(subscriber);
        } finally {
            subscriberLock.unlock();
        }
    }

    /** Records an event and passes it to all current subscribers. */
    public void publish(E event) {
        Objects.requireNonNull(event, "event");
        List<Consumer<? super E>> targets;
        historyLock.lock();
        try {
            history.addLast(event);
            if (history.size() > depth) {
                history.removeFirst();
            }
            targets = currentSubscribers();
        } finally {
            historyLock.unlock();
        }
        for (Consumer<? super E> target : targets) {
            target.accept(event);
        }
    }

    /** Returns a copy of the events kept, oldest first. */
    public List<E> recent() {
        historyLock.lock();
        try {
            return new ArrayList<>(history);
        } finally {
            historyLock.unlock();
        }
    }

    /** Returns the number of subscribers. */
    public int subscriberCount() {
        return currentSubscribers().size();
    }

    private List<Consumer<? super E>> currentSubscribers() {
        subscriberLock.lock();
        try {
            return new ArrayList<>(subscribers);
        } finally {
            subscriberLock.unlock();
        }
    }
}
