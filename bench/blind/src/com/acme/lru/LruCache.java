package com.acme.lru;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A cache of limited size that drops the least recently used entry, guarded by
 * one lock as reading changes the order, too. Thread-safe.
 */
public class LruCache<K, V> {

    private final LinkedHashMap<K, V> map = new LinkedHashMap<>(16, 0.75f, true);
    private final int capacity;
    private long evictions;

    public LruCache() {
        this(2);
    }

    public LruCache(int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException("capacity: " + capacity);
        }
        this.capacity = capacity;
    }

    public synchronized V get(K key) {
        return map.get(key);
    }

    /** Sets a value and returns the one before or null. */
    public synchronized V put(K key, V value) {
        Objects.requireNonNull(value);
        V old = map.put(key, value);
        trim();
        return old;
    }

    /** Sets a value unless there is one; returns the one that holds then. */
    public synchronized V putIfAbsent(K key, V value) {
        Objects.requireNonNull(value);
        V old = map.get(key);
        if (old != null) {
            return old;
        }
        map.put(key, value);
        trim();
        return value;
    }

    private void trim() {
        if (map.size() > capacity) {
            K eldest = map.keySet().iterator().next();
            map.remove(eldest);
            evictions++;
        }
    }

    public synchronized V remove(K key) {
        return map.remove(key);
    }

    /** Entries from the least to the most recently used, as a copy. */
    public synchronized List<Map.Entry<K, V>> entries() {
        List<Map.Entry<K, V>> l = new ArrayList<>(map.size());
        for (Map.Entry<K, V> e : map.entrySet()) {
            l.add(new java.util.AbstractMap.SimpleImmutableEntry<>(e));
        }
        return l;
    }

    public synchronized int size() {
        return map.size();
    }

    public synchronized long evictions() {
        return evictions;
    }
}
