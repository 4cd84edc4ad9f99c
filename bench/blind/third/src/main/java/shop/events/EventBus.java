package shop.events;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Delivers events to the handlers subscribed to their class.
 *
 * <p>Thread-safe. An event goes to the handlers that were subscribed when its delivery began, in the
 * order of their subscription, in the thread of the publisher. Handlers may subscribe, cancel and
 * publish in turn. A handler whose subscription is cancelled during a delivery may still get the event.
 */
public class EventBus {

    /** A subscription in force until it is cancelled. */
    @FunctionalInterface
    public interface Subscription {

        /** Ends the subscription; returns false if it was cancelled before. */
        boolean cancel();
    }

    private final Map<Class<?>, List<Handler<?>>> handlers = new ConcurrentHashMap<>();
    private final BiConsumer<Object, RuntimeException> onError;

    /** Creates a bus that ignores the exceptions of handlers. */
    public EventBus() {
        this((event, error) -> { });
    }

    /** Creates a bus that passes events whose handler failed, and the exception, to the given function. */
    public EventBus(BiConsumer<Object, RuntimeException> onError) {
        this.onError = Objects.requireNonNull(onError, "onError");
    }

    /**
     * Subscribes to the events of exactly the given class. The same consumer may be subscribed more
     * than once and is then called as often.
     */
    public <E> Subscription subscribe(Class<E> type, Consumer<? super E> consumer) {
        Handler<E> handler = new Handler<>(type, consumer);
        List<Handler<?>> list = handlers.computeIfAbsent(type, t -> new CopyOnWriteArrayList<>());
        list.add(handler);
        return () -> list.remove(handler);
    }

    /**
     * Delivers an event.
     *
     * @return the number of handlers that took it without an exception
     */
    public int publish(Object event) {
        List<Handler<?>> list = handlers.get(event.getClass());
        if (list == null) {
            return 0;
        }
        int delivered = 0;
        for (Handler<?> handler : list) {
            try {
                handler.handle(event);
                delivered++;
            } catch (RuntimeException e) {
                onError.accept(event, e);
            }
        }
        return delivered;
    }

    /** Returns the number of subscriptions to a class of events. */
    public int subscriptionCount(Class<?> type) {
        List<Handler<?>> list = handlers.get(type);
        return list == null ? 0 : list.size();
    }

    /** Compared by identity, so that a subscription only ever removes itself. */
    private static final class Handler<E> {

        private final Class<E> type;
        private final Consumer<? super E> consumer;

        Handler(Class<E> type, Consumer<? super E> consumer) {
            this.type = Objects.requireNonNull(type, "type");
            this.consumer = Objects.requireNonNull(consumer, "consumer");
        }

        void handle(Object event) {
            consumer.accept(type.cast(event));
        }
    }
}
