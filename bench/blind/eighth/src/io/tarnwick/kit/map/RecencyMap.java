package io.tarnwick.kit.map;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * A map of limited size that drops its eldest entry when it would grow beyond. What
 * counts as eldest is a matter of the {@link Order}.
 *
 * <p>Thread-safe; many readers may look up at the same time.
 *
 * @param <K> keys
 * @param <V> values, not null
 */
public class RecencyMap<K, V> {

    /** How the age of an entry is reckoned. */
    public enum Order {
        /** Since it was put in first. */
        INSERTION,
        /** Since it was put in or looked up last. */
        ACCESS
    }

    private static final class Bounded<K, V> extends LinkedHashMap<K, V> {
        private static final long serialVersionUID = 1L;
        private final int capacity;

        Bounded(int capacity, boolean byAccess) {
            super(16, 0.75f, byAccess);
            this.capacity = capacity;
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
            return size() > capacity;
        }
    }

    private final ReadWriteLock lock = new ReentrantReadWriteLock();
    private final Map<K, V> map;

    public RecencyMap(int capacity) {
        this(capacity, Order.INSERTION);
    }

    public RecencyMap(int capacity, Order order) {
        if (capacity < 1) {
            throw new IllegalArgumentException("capacity: " + capacity);
        }
        this.map = new Bounded<>(capacity, order == Order.ACCESS);
    }

    /** The value for the key, or null. */
    public V get(K key) {
        lock.readLock().lock();
        try {
            return map.get(key);
        } finally {
            lock.readLock().unlock();
        }
    }

    /** Stores a value and returns the one it replaces, or null. */
    public V put(K key, V value) {
        Objects.requireNonNull(value, "value");
        lock.writeLock().lock();
        try {
            return map.put(key, value);
        } finally {
            lock.writeLock().unlock();
        }
    }

    /** Removes an entry and returns its value, or null. */
    public V remove(K key) {
        lock.writeLock().lock();
        try {
            return map.remove(key);
        } finally {
            lock.writeLock().unlock();
        }
    }

    /** The keys, eldest first; a copy. */
    public List<K> keys() {
        lock.readLock().lock();
        try {
            List<K> keys = new ArrayList<>(map.size());
            for (K key : map.keySet()) {
                keys.add(key);
            }
            return keys;
        } finally {
            lock.readLock().unlock();
        }
    }

    /** The number of entries. */
    public int size() {
        lock.readLock().lock();
        try {
            return map.size();
        } finally {
            lock.readLock().unlock();
        }
    }
}
