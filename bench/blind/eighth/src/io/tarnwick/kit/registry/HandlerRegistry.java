package io.tarnwick.kit.registry;

import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Finds handlers by the class of an object. A handler registered for a class also
 * serves its subclasses, unless a closer one is registered; interfaces come after
 * superclasses. The outcome of a search is remembered, so that looking up a class
 * again costs one map access.
 *
 * <p>Handlers may be registered at any time, also while others look up. A look-up
 * that begins after a registration has ended takes it into account.
 *
 * @param <H> the type of handlers
 */
public class HandlerRegistry<H> {

    private final Map<Class<?>, H> handlers = new ConcurrentHashMap<>();
    private final Map<Class<?>, Optional<H>> resolved = new ConcurrentHashMap<>();

    /**
     * Registers a handler.
     *
     * @return the handler that was registered for exactly this class before, or null
     */
    public H register(Class<?> type, H handler) {
        Objects.requireNonNull(handler, "handler");
        H old = handlers.put(type, handler);
        resolved.clear();
        return old;
    }

    /** Removes the handler registered for exactly this class. */
    public boolean unregister(Class<?> type) {
        boolean removed = handlers.remove(type) != null;
        if (removed) {
            resolved.clear();
        }
        return removed;
    }

    /** The handler in charge of the class, if any. */
    public Optional<H> lookup(Class<?> type) {
        Optional<H> known = resolved.get(type);
        if (known == null) {
            known = Optional.ofNullable(search(type));
            resolved.put(type, known);
        }
        return known;
    }

    /** The handler in charge of the object. */
    public Optional<H> lookupFor(Object target) {
        return lookup(target.getClass());
    }

    private H search(Class<?> type) {
        for (Class<?> c = type; c != null; c = c.getSuperclass()) {
            H handler = handlers.get(c);
            if (handler != null) {
                return handler;
            }
        }
        for (Class<?> c = type; c != null; c = c.getSuperclass()) {
            H handler = searchInterfaces(c);
            if (handler != null) {
                return handler;
            }
        }
        return null;
    }

    private H searchInterfaces(Class<?> type) {
        for (Class<?> i : type.getInterfaces()) {
            H handler = handlers.get(i);
            if (handler == null) {
                handler = searchInterfaces(i);
            }
            if (handler != null) {
                return handler;
            }
        }
        return null;
    }
}
