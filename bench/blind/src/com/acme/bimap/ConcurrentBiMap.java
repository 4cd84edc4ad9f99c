package com.acme.bimap;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * A one-to-one map that can be asked in both directions. No two keys ever have
 * the same value. Thread-safe; looking up does not block.
 */
public class ConcurrentBiMap<K, V> {

    private final ConcurrentMap<K, V> forward = new ConcurrentHashMap<>();
    private final ConcurrentMap<V, K> backward = new ConcurrentHashMap<>();

    /**
     * Adds a pair unless its key or its value is in the map already.
     *
     * @return whether it has been added
     */
    public boolean putIfAbsent(K key, V value) {
        if (backward.containsKey(value)) {
            return false;
        }
        if (forward.putIfAbsent(key, value) != null) {
            return false;
        }
        backward.put(value, key);
        return true;
    }

    /** Removes a pair by its key and returns its value or null. */
    public V remove(K key) {
        V v = forward.remove(key);
        if (v != null) {
            backward.remove(v);
        }
        return v;
    }

    /** Removes a pair by its value and returns its key or null. */
    public K removeValue(V value) {
        K k = backward.remove(value);
        if (k != null) {
            forward.remove(k);
        }
        return k;
    }

    public V get(K key) {
        return forward.get(key);
    }

    public K getKey(V value) {
        return backward.get(value);
    }

    public boolean containsKey(K key) {
        return forward.containsKey(key);
    }

    public boolean containsValue(V value) {
        return backward.containsKey(value);
    }
}
