package com.acme.multimap;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * A concurrent multimap whose keys have lists of values. Keys without values
 * are not kept. All methods may be called concurrently.
 */
public class ListMultimap<K, V> {

    private final ConcurrentMap<K, List<V>> map = new ConcurrentHashMap<>();

    /** Appends a value to those of a key. */
    public void put(K key, V value) {
        Objects.requireNonNull(value);
        List<V> values = map.computeIfAbsent(key,
                k -> Collections.synchronizedList(new ArrayList<>(2)));
        values.add(value);
    }

    /**
     * Removes the first equal value of a key.
     *
     * @return false if the key has no such value
     */
    public boolean remove(K key, V value) {
        List<V> values = map.get(key);
        if (values == null || !values.remove(value)) {
            return false;
        }
        if (values.isEmpty()) {
            map.remove(key);
        }
        return true;
    }

    /** A copy of the values of a key, empty if it has none. */
    public List<V> get(K key) {
        List<V> values = map.get(key);
        if (values == null) {
            return List.of();
        }
        synchronized (values) {
            return new ArrayList<>(values);
        }
    }

    /** Whether the key has the value. */
    public boolean containsEntry(K key, V value) {
        List<V> values = map.get(key);
        return values != null && values.contains(value);
    }

    public boolean containsKey(K key) {
        return !get(key).isEmpty();
    }

    /** Number of values of a key. */
    public int count(K key) {
        List<V> values = map.get(key);
        return values == null ? 0 : values.size();
    }
}
