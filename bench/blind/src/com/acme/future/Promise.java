package com.acme.future;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * A value that will be set once. Callbacks are called exactly once each: by
 * the thread that completes the promise, or at once if it is complete.
 * Thread-safe.
 */
public class Promise<V> {

    private List<Consumer<? super V>> callbacks = new ArrayList<>();
    private volatile boolean done;
    private volatile V value;

    /**
     * Sets the value and calls the callbacks.
     *
     * @return false if the promise was complete
     */
    public boolean complete(V v) {
        List<Consumer<? super V>> toCall;
        synchronized (this) {
            if (done) {
                return false;
            }
            value = v;
            done = true;
            toCall = callbacks;
            callbacks = new ArrayList<>();
        }
        for (Consumer<? super V> c : toCall) {
            c.accept(v);
        }
        return true;
    }

    /** Has the callback called with the value as soon as there is one. */
    public void onComplete(Consumer<? super V> callback) {
        Objects.requireNonNull(callback);
        if (done) {
            callback.accept(value);
            return;
        }
        synchronized (this) {
            callbacks.add(callback);
        }
    }

    public boolean isDone() {
        return done;
    }

    /** The value or, before completion, the fallback. */
    public V getNow(V fallback) {
        return done ? value : fallback;
    }

    /** Callbacks still to be called; none after completion. */
    public synchronized int pendingCallbacks() {
        return callbacks.size();
    }
}
