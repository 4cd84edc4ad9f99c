package shop.cache;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/**
 * A cache of limited size that drops the entry which was not used for the longest time.
 *
 * <p>Thread-safe: all methods lock the cache. Functions passed to {@link #computeIfAbsent} run under
 * that lock and must not wait for other threads that use the cache.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
public class LruCache<K, V> {

    /** How well a cache works. */
    public record Stats(long hits, long misses, long evictions) {

        /** Returns the share of hits, or one if there was no request. */
        public double hitRate() {
            long requests = hits + misses;
            return requests == 0 ? 1.0 : (double) hits / requests;
        }
    }

    private final int capacity;
    private final Map<K, V> entries;
    private long hits;
    private long misses;
    private long evictions;

    /**
     * Creates an empty cache.
     *
     * @param capacity the greatest number of entries, at least one
     */
    public LruCache(int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException("capacity: " + capacity);
        }
        this.capacity = capacity;
        this.entries = new Entries();
    }

    /** Returns the value of a key, which becomes the most recently used one. */
    public synchronized Optional<V> get(K key) {
        V value = entries.get(key);
        if (value == null) {
            misses++;
        } else {
            hits++;
        }
        return Optional.ofNullable(value);
    }

    /** Stores a value and returns the one it replaces, if any. */
    public synchronized Optional<V> put(K key, V value) {
        Objects.requireNonNull(value, "value");
        return Optional.ofNullable(entries.put(key, value));
    }

    /** Returns the value of a key after computing and storing it if there was none. */
    public synchronized V computeIfAbsent(K key, Function<? super K, ? extends V> function) {
        Optional<V> present = get(key);
        if (present.isPresent()) {
            return present.get();
        }
        V computed = Objects.requireNonNull(function.apply(key), "function returned null");
        entries.put(key, computed);
        return computed;
    }

    /** Removes a key; returns its value if it had one. */
    public synchronized Optional<V> remove(K key) {
        return Optional.ofNullable(entries.remove(key));
    }

    /** Returns a copy of the entries, the least recently used one first. */
    public synchronized Map<K, V> snapshot() {
        return new LinkedHashMap<>(entries);
    }

    /** Returns the number of entries. */
    public synchronized int size() {
        return entries.size();
    }

    /** Returns the counters, all taken at the same time. */
    public synchronized Stats stats() {
        return new Stats(hits, misses, evictions);
    }

    private final class Entries extends LinkedHashMap<K, V> {

        private static final long serialVersionUID = 1L;

        Entries() {
            super(16, 0.75f, true);
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
            if (size() <= capacity) {
                return false;
            }
            evictions++;
            return true;
        }
    }
}
