package shop.loading;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/**
 * Merges equal requests made at the same time. The first caller of a key does the work; those who ask
 * for the same key before it is done wait and share the outcome, be it a value or an exception.
 * Nothing is remembered after that.
 *
 * <p>Thread-safe. For each key the backend is called by at most one thread at a time. A call may be
 * answered with a value that was requested from the backend before the call began. The backend must
 * not request the key that it is working on.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
public class RequestCoalescer<K, V> {

    private final Function<? super K, ? extends V> backend;
    private final ConcurrentMap<K, CompletableFuture<V>> inFlight = new ConcurrentHashMap<>();
    private final AtomicLong backendCalls = new AtomicLong();
    private final AtomicLong sharedCalls = new AtomicLong();

    /** Creates a coalescer in front of a backend. */
    public RequestCoalescer(Function<? super K, ? extends V> backend) {
        this.backend = Objects.requireNonNull(backend, "backend");
    }

    /**
     * Gets the value of a key from the backend.
     *
     * @return the value, possibly null
     */
    public V get(K key) {
        CompletableFuture<V> own = new CompletableFuture<>();
        CompletableFuture<V> other = inFlight.putIfAbsent(key, own);
        if (other != null) {
            sharedCalls.incrementAndGet();
            return await(other);
        }
        backendCalls.incrementAndGet();
        V value;
        try {
            value = backend.apply(key);
        } catch (RuntimeException | Error e) {
            inFlight.remove(key, own);
            own.completeExceptionally(e);
            throw e;
        }
        inFlight.remove(key, own);
        own.complete(value);
        return value;
    }

    /** Tells whether a request for a key is being worked on. */
    public boolean isInFlight(K key) {
        return inFlight.containsKey(key);
    }

    /** Returns how many requests went to the backend. */
    public long backendCalls() {
        return backendCalls.get();
    }

    /** Returns how many requests shared the outcome of another one. */
    public long sharedCalls() {
        return sharedCalls.get();
    }

    private static <V> V await(CompletableFuture<V> future) {
        try {
            return future.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            if (e.getCause() instanceof Error cause) {
                throw cause;
            }
            throw e;
        }
    }
}
