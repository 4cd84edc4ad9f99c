package b2.eventbus;

import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * Passes events to handlers.
 *
 * <p>Thread-safe. An event is passed to the handlers that are subscribed at one moment during
 * {@link #publish}, in the order of their subscription, by the publishing thread. A handler may
 * thus still receive an event shortly after it was unsubscribed, and events published by several
 * threads may reach different handlers in different orders. Handlers may subscribe and unsubscribe
 * handlers.
 */
public class EventBus<E> {
    private final CopyOnWriteArrayList<Consumer<? super E>> handlers = new CopyOnWriteArrayList<>();
    private final AtomicLong failures = new AtomicLong();

    /** Subscribes a handler; returns false if it was subscribed already. */
    public boolean subscribe(Consumer<? super E> handler) {
        if (handler == null) {
            throw new NullPointerException("handler");
        }
        return handlers.addIfAbsent(handler);
    }

    /** Unsubscribes a handler; returns false if it was not subscribed. */
    public boolean unsubscribe(Consumer<? super E> handler) {
        return handlers.remove(handler);
    }

    /**
     * Passes an event to the handlers. If a handler throws, the others receive the event anyway.
     *
     * @return the number of handlers, including those that have thrown
     */
    public int publish(E event) {
        int count = 0;
        for (Consumer<? super E> handler : handlers) {
            count++;
            try {
                handler.accept(event);
            } catch (RuntimeException e) {
                failures.incrementAndGet();
            }
        }
        return count;
    }

    /** Returns the number of handlers. */
    public int handlerCount() {
        return handlers.size();
    }

    /** Returns how often handlers have thrown so far, also in calls still going on. */
    public long failures() {
        return failures.get();
    }
}
