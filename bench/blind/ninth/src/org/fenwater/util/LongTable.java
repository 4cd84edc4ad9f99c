package org.fenwater.util;

import java.util.Objects;

/**
 * A hash table with {@code long} keys that only ever gains entries. Lookups are lock-free and may
 * run alongside insertions from other threads.
 *
 * @param <V> the value type
 */
public final class LongTable<V> {

    private volatile long[] keys;
    private volatile Object[] values;
    private volatile int size;

    public LongTable() {
        this(16);
    }

    public LongTable(int expected) {
        int capacity = Integer.highestOneBit(Math.max(expected, 4) * 2 - 1);
        keys = new long[capacity];
        values = new Object[capacity];
    }

    /** Returns the value of the key, or {@code null} if it has none. */
    @SuppressWarnings("unchecked")
    public V get(long key) {
        long[] table = keys;
        int mask = table.length - 1;
        int i = spread(key) & mask;
        Object value;
        while ((value = values[i]) != null) {
            if (table[i] == key) {
                return (V) value;
            }
            i = (i + 1) & mask;
        }
        return null;
    }

    /** Adds the entry unless the key is taken, and returns whether it was added. */
    public synchronized boolean add(long key, V value) {
        Objects.requireNonNull(value);
        if (get(key) != null) {
            return false;
        }
        if ((size + 1) * 4 > keys.length * 3) {
            grow();
        }
        place(keys, values, key, value);
        size++;
        values = values;
        return true;
    }

    public int size() {
        return size;
    }

    private void grow() {
        long[] oldKeys = keys;
        Object[] oldValues = values;
        long[] newKeys = new long[oldKeys.length * 2];
        Object[] newValues = new Object[newKeys.length];
        for (int i = 0; i < oldKeys.length; i++) {
            if (oldValues[i] != null) {
                place(newKeys, newValues, oldKeys[i], oldValues[i]);
            }
        }
        keys = newKeys;
        values = newValues;
    }

    private static void place(long[] keys, Object[] values, long key, Object value) {
        int mask = keys.length - 1;
        int i = spread(key) & mask;
        while (values[i] != null) {
            i = (i + 1) & mask;
        }
        keys[i] = key;
        values[i] = value;
    }

    private static int spread(long key) {
        long mixed = key * 0x9E3779B97F4A7C15L;
        return (int) (mixed >>> 32);
    }
}
