package org.larkspur.cache;

import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;

/**
 * A map-like cache that knows its size without a traversal.
 *
 * <p>This class is thread-safe. {@link #size()} takes constant time; while updates are in progress
 * it may lag behind them, but it is exact as soon as they have returned.
 *
 * @param <K> the type of keys
 * @param <V> the type of values
 */
public class SizedCache<K, V> {

    private final ConcurrentMap<K, V> map = new ConcurrentHashMap<>();
    private final AtomicInteger size = new AtomicInteger();

    /**
     * Returns the value for a key.
     *
     * @param key the key
     * @return the value, null if there is none
     */
    public V get(K key) {
        return map.get(Objects.requireNonNull(key, "key"));
    }

    /**
     * Stores a value.
     *
     * @param key the key
     * @param value the value
     * @return the previous value or null
     */
    public V put(K key, V value) {
        V previous = map.put(key, value);
        if (previous == null) {
            size.incrementAndGet();
        }
        return previous;
    }

    /**
     * Stores a value unless there is one.
     *
     * @param key the key
     * @param value the value
     * @return the value present before or null
     */
    public V putIfAbsent(K key, V value) {
        V previous = map.putIfAbsent(key, value);
        if (previous == null) {
            size.incrementAndGet();
        }
        return previous;
    }

    /**
     * Removes the value of a key.
     *
     * @param key the key
     * @return the removed value or null
     */
    public V remove(K key) {
        V previous = map.remove(key);
        if (previous != null) {
            size.decrementAndGet();
        }
        return previous;
    }

    /** Removes all values. */
    public void clear() {
        map.clear();
        size.set(0);
    }

    /** Returns the number of values. */
    public int size() {
        return size.get();
    }

    /** Returns whether there are no values. */
    public boolean isEmpty() {
        return size.get() == 0;
    }

    /**
     * Passes all entries to a visitor. The traversal is weakly consistent.
     *
     * @param visitor the visitor
     */
    public void forEach(BiConsumer<? super K, ? super V> visitor) {
        map.forEach(visitor);
    }
}
