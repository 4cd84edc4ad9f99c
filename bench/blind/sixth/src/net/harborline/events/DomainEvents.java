package net.harborline.events;

import java.util.Arrays;
import java.util.Objects;

/**
 * Delivers domain events to handlers in the thread of the publisher.
 *
 * <p>Handlers may be added and removed at any time, also from within a handler. Each publication
 * goes to the handlers that were registered when it began: a handler removed while an event is
 * being delivered may still receive that event.
 *
 * @param <E> type of the events
 */
public class DomainEvents<E> {

    /** Receives events. May be called by several threads at the same time. */
    @FunctionalInterface
    public interface Handler<E> {
        void handle(E event);
    }

    private static final Handler<?>[] NO_HANDLERS = {};

    private volatile Handler<?>[] handlers = NO_HANDLERS;

    /**
     * Adds a handler.
     *
     * @return {@code false} if it was registered already
     */
    public boolean add(Handler<? super E> handler) {
        Objects.requireNonNull(handler, "handler");
        synchronized (this) {
            Handler<?>[] current = handlers;
            if (indexOf(current, handler) >= 0) {
                return false;
            }
            Handler<?>[] copy = Arrays.copyOf(current, current.length + 1);
            copy[current.length] = handler;
            handlers = copy;
            return true;
        }
    }

    /**
     * Removes a handler.
     *
     * @return whether it was registered
     */
    public boolean remove(Handler<? super E> handler) {
        synchronized (this) {
            Handler<?>[] current = handlers;
            int index = indexOf(current, handler);
            if (index < 0) {
                return false;
            }
            Handler<?>[] copy = new Handler<?>[current.length - 1];
            System.arraycopy(current, 0, copy, 0, index);
            System.arraycopy(current, index + 1, copy, index, copy.length - index);
            handlers = copy;
            return true;
        }
    }

    /**
     * Delivers an event.
     *
     * @return the number of handlers that completed normally
     */
    @SuppressWarnings("unchecked")
    public int publish(E event) {
        int completed = 0;
        for (Handler<?> handler : handlers) {
            try {
                ((Handler<? super E>) handler).handle(event);
                completed++;
            } catch (RuntimeException e) {
                // one failing handler does not keep the event from the others
            }
        }
        return completed;
    }

    /** Returns the number of handlers. */
    public int size() {
        return handlers.length;
    }

    private static int indexOf(Handler<?>[] handlers, Handler<?> wanted) {
        for (int i = 0; i < handlers.length; i++) {
            if (handlers[i] == wanted) {
                return i;
            }
        }
        return -1;
    }
}
