package org.fenwater.util;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * A bounded map that drops the entry that has gone unused for longest when it is full. Safe for
 * use by multiple threads; lookups do not block one another.
 */
public final class RecencyMap<K, V> {

    private final ReadWriteLock lock = new ReentrantReadWriteLock();
    private final LinkedHashMap<K, V> entries;
    private final int limit;

    public RecencyMap(int limit) {
        if (limit < 1) {
            throw new IllegalArgumentException("limit: " + limit);
        }
        this.limit = limit;
        this.entries = new LinkedHashMap<>(16, 0.75f, true) {
            @Override
            protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
                return size() > RecencyMap.this.limit;
            }
        };
    }

    public V get(K key) {
        lock.readLock().lock();
        try {
            return entries.get(key);
        } finally {
            lock.readLock().unlock();
        }
    }

    public boolean contains(K key) {
        lock.readLock().lock();
        try {
            return entries.containsKey(key);
        } finally {
            lock.readLock().unlock();
        }
    }

    public V put(K key, V value) {
        lock.writeLock().lock();
        try {
            return entries.put(key, value);
        } finally {
            lock.writeLock().unlock();
        }
    }

    public V remove(K key) {
        lock.writeLock().lock();
        try {
            return entries.remove(key);
        } finally {
            lock.writeLock().unlock();
        }
    }

    /** The keys, least recently used first. */
    public List<K> keysByAge() {
        lock.readLock().lock();
        try {
            List<K> keys = new ArrayList<>(entries.size());
            for (Map.Entry<K, V> entry : entries.entrySet()) {
                keys.add(entry.getKey());
            }
            return keys;
        } finally {
            lock.readLock().unlock();
        }
    }

    public int size() {
        lock.readLock().lock();
        try {
            return entries.size();
        } finally {
            lock.readLock().unlock();
        }
    }
}
