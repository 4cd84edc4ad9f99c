package com.acme.cache;

import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * A cache that loads missing values with a {@link Loader}.
 *
 * <p>Thread-safe. {@link #get} never returns null and never fails other than
 * with what the loader throws.
 */
public class LoadingStore<K, V> {

    /** Computes the value of a key. */
    public interface Loader<K, V> {
        /** @return the value, not null */
        V load(K key);
    }

    private static final class Entry<V> {
        final V value;
        final int generation;

        Entry(V value, int generation) {
            this.value = value;
            this.generation = generation;
        }
    }

    private final ConcurrentMap<K, Entry<V>> entries = new ConcurrentHashMap<>();
    private final Loader<? super K, ? extends V> loader;
    private final LongAdder hits = new LongAdder();
    private volatile int generation;

    public LoadingStore(Loader<? super K, ? extends V> loader) {
        this.loader = Objects.requireNonNull(loader, "loader");
    }

    /** The value of the key, loaded if it is not cached. */
    public V get(K key) {
        if (entries.containsKey(key)) {
            hits.increment();
            return entries.get(key).value;
        }
        return entries.computeIfAbsent(key, this::create).value;
    }

    private Entry<V> create(K key) {
        V v = loader.load(key);
        if (v == null) {
            throw new IllegalStateException("loader returned null for " + key);
        }
        return new Entry<>(v, generation);
    }

    /** Drops the value of a key so that the next get loads it again. */
    public void invalidate(K key) {
        entries.remove(key);
    }

    /** Whether a value for the key is cached now. */
    public boolean isCached(K key) {
        return entries.containsKey(key);
    }

    /** How often a value was found; an estimate under concurrent use. */
    public long hits() {
        return hits.sum();
    }
}
