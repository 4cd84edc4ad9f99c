package org.larkspur.collect;

import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.BiPredicate;

/**
 * A small table for data that is read often and changed rarely.
 *
 * @param <K> the type of keys
 * @param <V> the type of values
 */
public class RowTable<K, V> {

    private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    private final Map<K, V> rows = new HashMap<>();

    /**
     * Returns the value of a row.
     *
     * @param key the key of the row
     * @return the value or null
     */
    public V get(K key) {
        Objects.requireNonNull(key, "key");
        lock.readLock().lock();
        try {
            return rows.get(key);
        } finally {
            lock.readLock().unlock();
        }
    }

    /**
     * Sets the value of a row.
     *
     * @param key the key of the row
     * @param value the value
     * @return the previous value or null
     */
    public V put(K key, V value) {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(value, "value");
        lock.writeLock().lock();
        try {
            return rows.put(key, value);
        } finally {
            lock.writeLock().unlock();
        }
    }

    /**
     * Removes a row.
     *
     * @param key the key of the row
     * @return the removed value or null
     */
    public V remove(K key) {
        Objects.requireNonNull(key, "key");
        lock.writeLock().lock();
        try {
            return rows.remove(key);
        } finally {
            lock.writeLock().unlock();
        }
    }

    /**
     * Removes all rows that match.
     *
     * @param filter decides about a row; exceptions it throws are relayed to the caller
     * @return the number of rows removed
     */
    public int removeIf(BiPredicate<? super K, ? super V> filter) {
        Objects.requireNonNull(filter, "filter");
        int removed = 0;
        lock.writeLock().lock();
        for (Iterator<Map.Entry<K, V>> it = rows.entrySet().iterator(); it.hasNext();) {
            Map.Entry<K, V> row = it.next();
            if (filter.test(row.getKey(), row.getValue())) {
                it.remove();
                removed++;
            }
        }
        lock.writeLock().unlock();
        return removed;
    }

    /** Returns the number of rows. */
    public int size() {
        lock.readLock().lock();
        try {
            return rows.size();
        } finally {
            lock.readLock().unlock();
        }
    }

    /** Returns a copy of all rows. */
    public Map<K, V> copy() {
        lock.readLock().lock();
        try {
            return new HashMap<>(rows);
        } finally {
            lock.readLock().unlock();
        }
    }
}
