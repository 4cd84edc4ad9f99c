package com.acme.cache;

import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * Remembers the results of an expensive computation. Concurrent calls for the
 * same key share one computation; a computation that fails is not remembered,
 * though callers waiting for it at that time fail with it.
 *
 * <p>Thread-safe. The computation must not ask for its own key.
 */
public class Memoizer<K, V> {

    /** The computation. */
    @FunctionalInterface
    public interface Computation<K, V> {
        V compute(K key) throws Exception;
    }

    private final ConcurrentMap<K, FutureTask<V>> results = new ConcurrentHashMap<>();
    private final Computation<? super K, ? extends V> computation;

    public Memoizer(Computation<? super K, ? extends V> computation) {
        this.computation = Objects.requireNonNull(computation);
    }

    /**
     * The result for a key.
     *
     * @throws IllegalStateException if the computation fails, with its cause
     */
    public V get(K key) {
        FutureTask<V> task = results.get(key);
        if (task == null) {
            FutureTask<V> fresh = new FutureTask<>(() -> computation.compute(key));
            task = results.putIfAbsent(key, fresh);
            if (task == null) {
                task = fresh;
                fresh.run();
            }
        }
        try {
            return await(task);
        } catch (ExecutionException e) {
            results.remove(key, task);
            throw new IllegalStateException("computation failed", e.getCause());
        }
    }

    private static <V> V await(FutureTask<V> task) throws ExecutionException {
        boolean interrupted = false;
        try {
            for (;;) {
                try {
                    return task.get();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Forgets the result for a key. Callers already waiting still get it. */
    public void forget(K key) {
        results.remove(key);
    }
}
