package org.fenwater.util.concurrent;

import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Function;

/**
 * Remembers the results of a function. Concurrent calls for one key share a single application of
 * the function and its outcome; failures are not remembered.
 */
public final class Memoizer<K, V> {

    private final ConcurrentMap<K, FutureTask<V>> tasks = new ConcurrentHashMap<>();
    private final Function<? super K, ? extends V> function;

    public Memoizer(Function<? super K, ? extends V> function) {
        this.function = Objects.requireNonNull(function);
    }

    /** Returns the result for the key, applying the function or waiting for it if need be. */
    public V get(K key) throws InterruptedException {
        FutureTask<V> task = tasks.get(key);
        if (task == null) {
            FutureTask<V> mine = new FutureTask<>(() -> function.apply(key));
            task = tasks.putIfAbsent(key, mine);
            if (task == null) {
                task = mine;
                mine.run();
            }
        }
        try {
            return task.get();
        } catch (ExecutionException e) {
            tasks.remove(key, task);
            Throwable cause = e.getCause();
            if (cause instanceof RuntimeException r) {
                throw r;
            }
            if (cause instanceof Error r) {
                throw r;
            }
            throw new IllegalStateException(cause);
        }
    }

    /** Forgets the result for the key; callers already waiting for it still get it. */
    public void forget(K key) {
        tasks.remove(key);
    }
}
