package com.acme.lru;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * Map of limited size that drops the least recently used entry. Readers share
 * a lock so that they do not hinder each other; writers have it alone.
 * Thread-safe.
 */
public class ReadMostlyLruMap<K, V> {

    private final ReadWriteLock lock = new ReentrantReadWriteLock();
    private final Map<K, V> map;

    public ReadMostlyLruMap() {
        this(4);
    }

    public ReadMostlyLruMap(final int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException("capacity: " + capacity);
        }
        map = new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
                return size() > capacity;
            }
        };
    }

    /** The value of a key or null. */
    public V get(K key) {
        lock.readLock().lock();
        try {
            return map.get(key);
        } finally {
            lock.readLock().unlock();
        }
    }

    /** Sets the value of a key and returns the one before. */
    public V put(K key, V value) {
        lock.writeLock().lock();
        try {
            return map.put(key, value);
        } finally {
            lock.writeLock().unlock();
        }
    }

    /** Removes a key. */
    public V remove(K key) {
        lock.writeLock().lock();
        try {
            return map.remove(key);
        } finally {
            lock.writeLock().unlock();
        }
    }

    /** Keys from the least to the most recently used. */
    public List<K> keys() {
        lock.readLock().lock();
        try {
            List<K> keys = new ArrayList<>(map.size());
            for (K k : map.keySet()) {
                keys.add(k);
            }
            return keys;
        } finally {
            lock.readLock().unlock();
        }
    }

    public int size() {
        lock.readLock().lock();
        try {
            return map.size();
        } finally {
            lock.readLock().unlock();
        }
    }
}
