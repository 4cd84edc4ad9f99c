package org.larkspur.cache;

import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Function;

/**
 * A memoizing function. The first caller of {@link #get} for a key runs the loader; callers that
 * arrive in the meantime wait for its outcome.
 *
 * <p>If the loader fails, the failure is thrown to all callers waiting for it and is not
 * remembered: the next call of {@code get} runs the loader again. Once the loader has returned a
 * value for a key, all later calls return this very value; the loader is not run again for that
 * key unless it is {@linkplain #invalidate invalidated}.
 *
 * <p>Instances are safe for use by multiple concurrent threads.
 *
 * @param <K> the type of keys
 * @param <V> the type of values
 */
public final class OnceCache<K, V> {

    private final ConcurrentMap<K, FutureTask<V>> tasks = new ConcurrentHashMap<>();
    private final Function<? super K, ? extends V> loader;

    /**
     * Creates a cache.
     *
     * @param loader computes the values
     */
    public OnceCache(Function<? super K, ? extends V> loader) {
        this.loader = Objects.requireNonNull(loader, "loader");
    }

    /**
     * Returns the value for the key, computing it if necessary.
     *
     * @param key the key, not null
     * @return the value
     */
    public V get(K key) {
        Objects.requireNonNull(key, "key");
        FutureTask<V> task = tasks.get(key);
        if (task == null) {
            FutureTask<V> created = new FutureTask<>(() -> loader.apply(key));
            task = tasks.putIfAbsent(key, created);
            if (task == null) {
                task = created;
                created.run();
            }
        }
        try {
            return task.get();
        } catch (ExecutionException e) {
            tasks.remove(key);
            Throwable cause = e.getCause();
            if (cause instanceof Error) {
                throw (Error) cause;
            }
            if (cause instanceof RuntimeException) {
                throw (RuntimeException) cause;
            }
            throw new IllegalStateException(cause);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for " + key, e);
        }
    }

    /**
     * Forgets the value for the key.
     *
     * @param key the key
     * @return true if there was a value or a computation in progress
     */
    public boolean invalidate(K key) {
        return tasks.remove(Objects.requireNonNull(key, "key")) != null;
    }

    /** Returns true if a value for the key is present. */
    public boolean isPresent(K key) {
        FutureTask<V> task = tasks.get(Objects.requireNonNull(key, "key"));
        return task != null && task.isDone();
    }
}
