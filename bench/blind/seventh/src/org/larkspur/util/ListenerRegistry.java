package org.larkspur.util;

import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * A registry of listeners, optimized for delivery.
 *
 * <p>Thread-safe. Delivery and iteration work on a snapshot of the registry taken at the start: a
 * listener that is added meanwhile is not called, and one that is removed meanwhile may still be
 * called.
 *
 * @param <L> the type of listeners
 */
public class ListenerRegistry<L> implements Iterable<L> {

    private static final Object[] EMPTY = new Object[0];

    private final AtomicReference<Object[]> listeners = new AtomicReference<>(EMPTY);

    /** Creates an empty registry. */
    public ListenerRegistry() {
    }

    /**
     * Adds a listener.
     *
     * @param listener the listener
     * @return false if it had been added before
     */
    public boolean add(L listener) {
        Objects.requireNonNull(listener, "listener");
        for (;;) {
            Object[] current = listeners.get();
            if (indexOf(current, listener) >= 0) {
                return false;
            }
            Object[] updated = Arrays.copyOf(current, current.length + 1);
            updated[current.length] = listener;
            if (listeners.compareAndSet(current, updated)) {
                return true;
            }
        }
    }

    /**
     * Removes a listener.
     *
     * @param listener the listener
     * @return false if it was not registered
     */
    public boolean remove(L listener) {
        for (;;) {
            Object[] current = listeners.get();
            int index = indexOf(current, listener);
            if (index < 0) {
                return false;
            }
            Object[] updated;
            if (current.length == 1) {
                updated = EMPTY;
            } else {
                updated = new Object[current.length - 1];
                System.arraycopy(current, 0, updated, 0, index);
                System.arraycopy(current, index + 1, updated, index, updated.length - index);
            }
            if (listeners.compareAndSet(current, updated)) {
                return true;
            }
        }
    }

    /**
     * Passes all listeners to an action. If it fails for some of them, the others are still passed
     * to it; then the first failure is thrown with the others attached.
     *
     * @param action calls a listener
     */
    @SuppressWarnings("unchecked")
    public void fire(Consumer<? super L> action) {
        RuntimeException failure = null;
        for (Object listener : listeners.get()) {
            try {
                action.accept((L) listener);
            } catch (RuntimeException e) {
                if (failure == null) {
                    failure = e;
                } else if (failure != e) {
                    failure.addSuppressed(e);
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    /** Returns the number of listeners. */
    public int size() {
        return listeners.get().length;
    }

    /** Removes all listeners and returns how many there were. */
    public int clear() {
        return listeners.getAndSet(EMPTY).length;
    }

    @Override
    @SuppressWarnings("unchecked")
    public Iterator<L> iterator() {
        return (Iterator<L>) List.of(listeners.get()).iterator();
    }

    private static int indexOf(Object[] array, Object listener) {
        for (int i = 0; i < array.length; i++) {
            if (array[i] == listener) {
                return i;
            }
        }
        return -1;
    }
}
