package lib.cache;

import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/**
 * A cache that computes missing values with a loader and supports explicit invalidation.
 *
 * <p>Thread-safe. The loader is called without any lock held, so several threads that miss the same
 * key at the same time may each call it. A {@link #get} that overlaps an invalidation may return the
 * value from before or after it. Once an invalidation of a key has returned, every {@code get} of
 * that key that starts later returns a value whose load began after the invalidation began.
 *
 * @param <K> type of the keys
 * @param <V> type of the values, the loader must not return {@code null}
 */
public class LoadingCache<K, V> {
    private final ConcurrentMap<K, V> values = new ConcurrentHashMap<>();
    private final AtomicLong generation = new AtomicLong();
    private final ThreadLocal<Set<K>> loading = ThreadLocal.withInitial(HashSet::new);
    private final Function<? super K, ? extends V> loader;

    /**
     * @param loader computes the value of a key; must be safe for use by several threads
     */
    public LoadingCache(Function<? super K, ? extends V> loader) {
        this.loader = Objects.requireNonNull(loader);
    }

    /**
     * Returns the cached value of the key, loading it first if it is missing.
     *
     * @throws IllegalStateException if called by the loader for a key this thread is just loading
     */
    public V get(K key) {
        V cached = values.get(key);
        if (cached != null) {
            return cached;
        }
        long before = generation.get();
        V loaded = load(key);
        if (generation.get() == before) {
            values.put(key, loaded);
        }
        return loaded;
    }

    /** Returns the cached value of the key, or {@code null}; never loads. */
    public V getIfPresent(K key) {
        return values.get(key);
    }

    /** Forgets the value of the key. */
    public void invalidate(K key) {
        generation.incrementAndGet();
        values.remove(key);
    }

    /** Forgets all values. */
    public void invalidateAll() {
        generation.incrementAndGet();
        values.clear();
    }

    /** Returns the number of cached values; an estimate while other threads use the cache. */
    public int size() {
        return values.size();
    }

    private V load(K key) {
        Set<K> mine = loading.get();
        if (!mine.add(key)) {
            throw new IllegalStateException("recursive load of " + key);
        }
        try {
            return Objects.requireNonNull(loader.apply(key), "loader returned null");
        } finally {
            mine.remove(key);
            if (mine.isEmpty()) {
                loading.remove();
            }
        }
    }
}
