package b2.singleflight;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * Merges concurrent loads of the same key into one. Nothing is cached: a load that starts when no
 * other load of the key is under way calls the loader.
 *
 * <p>Thread-safe. A call may return the result of a load that another thread had started before
 * the call and that has not yet returned; so it may be slightly out of date, and the loader may be
 * called less often than {@link #load}. The loader must not load its own key.
 */
public class SingleFlight<K, V> {
    private final Function<? super K, ? extends V> loader;
    private final ConcurrentMap<K, CompletableFuture<V>> flights = new ConcurrentHashMap<>();
    private final AtomicInteger started = new AtomicInteger();

    public SingleFlight(Function<? super K, ? extends V> loader) {
        this.loader = Objects.requireNonNull(loader);
    }

    /** Loads the value of the key, or joins a load that is under way. */
    public V load(K key) {
        CompletableFuture<V> mine = new CompletableFuture<>();
        CompletableFuture<V> other = flights.putIfAbsent(key, mine);
        if (other != null) {
            return join(other);
        }
        try {
            started.incrementAndGet();
            V value = loader.apply(key);
            mine.complete(value);
            return value;
        } catch (RuntimeException | Error e) {
            mine.completeExceptionally(e);
            throw e;
        } finally {
            flights.remove(key, mine);
        }
    }

    /**
     * Returns how often the loader has been called, including calls under way: at most as often as
     * {@link #load} has been called, and less often if loads were merged.
     */
    public int loaderCalls() {
        return started.get();
    }

    private static <V> V join(CompletableFuture<V> future) {
        try {
            return future.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException) {
                throw (RuntimeException) e.getCause();
            }
            if (e.getCause() instanceof Error) {
                throw (Error) e.getCause();
            }
            throw e;
        }
    }
}
