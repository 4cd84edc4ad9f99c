package com.acme.bimap;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * A one-to-one map guarded by a read-write lock. Both directions always agree.
 * Thread-safe.
 */
public class LockedBiMap<K, V> {

    private final ReadWriteLock lock = new ReentrantReadWriteLock();
    private final Map<K, V> forward = new HashMap<>();
    private final Map<V, K> backward = new HashMap<>();

    /**
     * Sets the value of a key.
     *
     * @return the value before or null
     * @throws IllegalArgumentException if another key has the value
     */
    public V put(K key, V value) {
        Objects.requireNonNull(key);
        Objects.requireNonNull(value);
        lock.writeLock().lock();
        try {
            K other = backward.get(value);
            if (other != null && !other.equals(key)) {
                throw new IllegalArgumentException("value in use: " + value);
            }
            return set(key, value);
        } finally {
            lock.writeLock().unlock();
        }
    }

    /** Sets the value of a key and takes it from the key that has it. */
    public V forcePut(K key, V value) {
        Objects.requireNonNull(key);
        Objects.requireNonNull(value);
        lock.writeLock().lock();
        try {
            K other = backward.remove(value);
            if (other != null && !other.equals(key)) {
                forward.remove(other);
            }
            return set(key, value);
        } finally {
            lock.writeLock().unlock();
        }
    }

    private V set(K key, V value) {
        V old = forward.put(key, value);
        if (old != null) {
            backward.remove(old);
        }
        backward.put(value, key);
        return old;
    }

    public V remove(K key) {
        lock.writeLock().lock();
        try {
            V v = forward.remove(key);
            if (v != null) {
                backward.remove(v);
            }
            return v;
        } finally {
            lock.writeLock().unlock();
        }
    }

    public V get(K key) {
        lock.readLock().lock();
        try {
            return forward.get(key);
        } finally {
            lock.readLock().unlock();
        }
    }

    public K getKey(V value) {
        lock.readLock().lock();
        try {
            return backward.get(value);
        } finally {
            lock.readLock().unlock();
        }
    }

    /** A copy of the map. */
    public Map<K, V> snapshot() {
        lock.readLock().lock();
        try {
            return new HashMap<>(forward);
        } finally {
            lock.readLock().unlock();
        }
    }

    public int size() {
        lock.readLock().lock();
        try {
            return forward.size();
        } finally {
            lock.readLock().unlock();
        }
    }
}
