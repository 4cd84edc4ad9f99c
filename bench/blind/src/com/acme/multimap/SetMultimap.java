package com.acme.multimap;

import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A concurrent multimap whose keys have sets of values. The sets are immutable
 * and replaced as a whole within the atomic update of their key, so every
 * method on one key is atomic and returned sets never change. Iteration order
 * of the sets is not specified.
 */
public class SetMultimap<K, V> {

    private final ConcurrentHashMap<K, Set<V>> map = new ConcurrentHashMap<>();

    /** Adds a value; false if the key has it already. */
    public boolean put(K key, V value) {
        Objects.requireNonNull(value);
        boolean[] added = new boolean[1];
        map.compute(key, (k, old) -> {
            if (old == null) {
                added[0] = true;
                return Set.of(value);
            }
            if (old.contains(value)) {
                return old;
            }
            Set<V> copy = new LinkedHashSet<>(old);
            copy.add(value);
            added[0] = true;
            return Set.copyOf(copy);
        });
        return added[0];
    }

    /** Removes a value; a key without values is gone. */
    public boolean remove(K key, V value) {
        Objects.requireNonNull(value);
        boolean[] removed = new boolean[1];
        map.computeIfPresent(key, (k, old) -> {
            if (!old.contains(value)) {
                return old;
            }
            removed[0] = true;
            if (old.size() == 1) {
                return null;
            }
            Set<V> copy = new LinkedHashSet<>(old);
            copy.remove(value);
            return Set.copyOf(copy);
        });
        return removed[0];
    }

    /** Removes all values of a key and returns them. */
    public Set<V> removeAll(K key) {
        Set<V> s = map.remove(key);
        return s == null ? Set.of() : s;
    }

    /** The values of a key, empty if there are none. */
    public Set<V> get(K key) {
        return map.getOrDefault(key, Set.of());
    }

    public boolean containsEntry(K key, V value) {
        return get(key).contains(Objects.requireNonNull(value));
    }

    public boolean containsKey(K key) {
        return map.containsKey(key);
    }

    /** Number of keys; an estimate while keys are added or removed. */
    public long estimatedKeys() {
        return map.mappingCount();
    }
}
