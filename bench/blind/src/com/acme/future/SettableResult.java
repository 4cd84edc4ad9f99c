package com.acme.future;

import java.util.ArrayDeque;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * A result that is set once. Callbacks are kept on a lock-free stack which the
 * completing thread takes as a whole. Each callback is called exactly once, by
 * the completing or by the registering thread; a callback registered after
 * completion may run before earlier ones. Callbacks must not throw.
 * Thread-safe.
 */
public class SettableResult<V> {

    private static final class Callback<V> {
        final Consumer<? super V> consumer;
        final Object next;

        Callback(Consumer<? super V> consumer, Object next) {
            this.consumer = consumer;
            this.next = next;
        }
    }

    private static final class Done<V> {
        final V value;

        Done(V value) {
            this.value = value;
        }
    }

    /** Null, a Callback, or Done. */
    private final AtomicReference<Object> state = new AtomicReference<>();
    private final CountDownLatch completed = new CountDownLatch(1);

    /** Sets the result; false if it was set. */
    @SuppressWarnings("unchecked")
    public boolean set(V value) {
        Done<V> done = new Done<>(value);
        Object s;
        do {
            s = state.get();
            if (s instanceof Done) {
                return false;
            }
        } while (!state.compareAndSet(s, done));
        completed.countDown();
        ArrayDeque<Callback<V>> order = new ArrayDeque<>();
        while (s != null) {
            Callback<V> c = (Callback<V>) s;
            order.addFirst(c);
            s = c.next;
        }
        for (Callback<V> c : order) {
            c.consumer.accept(value);
        }
        return true;
    }

    /** Has a callback called as soon as there is a result. */
    @SuppressWarnings("unchecked")
    public void whenSet(Consumer<? super V> consumer) {
        Objects.requireNonNull(consumer);
        for (;;) {
            Object s = state.get();
            if (s instanceof Done) {
                consumer.accept(((Done<V>) s).value);
                return;
            }
            if (state.compareAndSet(s, new Callback<>(consumer, s))) {
                return;
            }
        }
    }

    public boolean isSet() {
        return state.get() instanceof Done;
    }

    /** Waits for the result. */
    public V get() throws InterruptedException {
        completed.await();
        return getNow(null);
    }

    /** Waits for the result up to a time and then returns the fallback. */
    public V get(long timeout, TimeUnit unit, V fallback) throws InterruptedException {
        completed.await(timeout, unit);
        return getNow(fallback);
    }

    /** The result or, if there is none yet, the fallback. */
    @SuppressWarnings("unchecked")
    public V getNow(V fallback) {
        Object s = state.get();
        return s instanceof Done ? ((Done<V>) s).value : fallback;
    }
}
