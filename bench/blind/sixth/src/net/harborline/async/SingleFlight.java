package net.harborline.async;

import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executor;

/**
 * Joins equal requests: while the work for a key is under way, further submissions for that key
 * get the outcome of that work instead of doing it again.
 *
 * <p>Nothing is kept once the work is done. At no time does more than one piece of work per key
 * run. May be shared between threads.
 *
 * @param <K> type of the keys
 * @param <V> type of the results
 */
public class SingleFlight<K, V> {

    private final Executor executor;
    private final ConcurrentMap<K, CompletableFuture<V>> underWay = new ConcurrentHashMap<>();

    public SingleFlight(Executor executor) {
        this.executor = Objects.requireNonNull(executor, "executor");
    }

    /**
     * Starts the work for a key or joins the work that is under way.
     *
     * @return a future of the caller's own; completing or cancelling it concerns nobody else
     */
    public CompletableFuture<V> submit(K key, Callable<? extends V> work) {
        Objects.requireNonNull(work, "work");
        CompletableFuture<V> mine = new CompletableFuture<>();
        CompletableFuture<V> other = underWay.putIfAbsent(key, mine);
        if (other != null) {
            return other.copy();
        }
        try {
            executor.execute(() -> run(key, work, mine));
        } catch (RuntimeException | Error e) {
            underWay.remove(key, mine);
            mine.completeExceptionally(e);
        }
        return mine.copy();
    }

    /** Returns an estimate of the number of keys for which work is under way. */
    public int underWay() {
        return underWay.size();
    }

    /**
     * Tells whether work for the key is under way. The futures of a piece of work are completed a
     * moment after this has become {@code false}.
     */
    public boolean isUnderWay(K key) {
        return underWay.containsKey(key);
    }

    private void run(K key, Callable<? extends V> work, CompletableFuture<V> mine) {
        V result = null;
        Throwable failure = null;
        try {
            result = work.call();
        } catch (Throwable t) {
            failure = t;
        }
        underWay.remove(key, mine);
        if (failure == null) {
            mine.complete(result);
        } else {
            mine.completeExceptionally(failure);
        }
    }
}
