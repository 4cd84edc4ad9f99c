package net.quillmoor.cache;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * A bounded map that drops the entry which has gone longest without being looked at.
 *
 * <p>The class is thread-safe. Lookups may proceed in parallel; insertions and removals exclude
 * everything else. The order reported by {@link #keysByRecency()} reflects every lookup that
 * completed before the call.
 *
 * @param <K> the key type
 * @param <V> the value type
 */
public class RecencyCache<K, V> {

    private final ReadWriteLock lock = new ReentrantReadWriteLock();
    private final Lock reading = lock.readLock();
    private final Lock writing = lock.writeLock();
    private final int capacity;
    private final LinkedHashMap<K, V> map;

    /**
     * Creates an empty cache.
     *
     * @param capacity the most entries to hold, positive
     */
    public RecencyCache(int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException("capacity: " + capacity);
        }
        this.capacity = capacity;
        this.map = new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
                return size() > RecencyCache.this.capacity;
            }
        };
    }

    /** Looks a value up and marks it as the most recently used one. */
    public V get(K key) {
        reading.lock();
        try {
            return map.get(key);
        } finally {
            reading.unlock();
        }
    }

    /** Stores a value, dropping the least recently used one if the cache is full. */
    public V put(K key, V value) {
        writing.lock();
        try {
            return map.put(key, value);
        } finally {
            writing.unlock();
        }
    }

    /** Removes an entry. */
    public V remove(K key) {
        writing.lock();
        try {
            return map.remove(key);
        } finally {
            writing.unlock();
        }
    }

    /** Returns the keys, least recently used first. */
    public List<K> keysByRecency() {
        writing.lock();
        try {
            return new ArrayList<>(map.keySet());
        } finally {
            writing.unlock();
        }
    }

    /** Returns the number of entries. */
    public int size() {
        reading.lock();
        try {
            return map.size();
        } finally {
            reading.unlock();
        }
    }
}
