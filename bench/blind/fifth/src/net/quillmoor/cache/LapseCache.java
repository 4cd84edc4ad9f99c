package net.quillmoor.cache;

import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * A cache whose entries lapse some time after they were written.
 *
 * <p>Thread-safe. Lapsed entries are never returned; the life of an entry starts at some moment during
 * the call that writes it, even if other writes to the key take effect in between. {@link #sizeEstimate()} and {@link #forEach} are
 * weakly consistent and may or may not reflect changes made while they run.
 *
 * @param <K> the key type
 * @param <V> the value type
 */
public final class LapseCache<K, V> {

    /** Tells the time. */
    public interface Time {
        /** Returns milliseconds; does not go back. */
        long millis();
    }

    private static final class Entry<V> {
        final V value;
        final long lapsesAt;

        Entry(V value, long lapsesAt) {
            this.value = value;
            this.lapsesAt = lapsesAt;
        }

        boolean lapsed(long now) {
            return now - lapsesAt >= 0;
        }
    }

    private final ConcurrentMap<K, Entry<V>> entries = new ConcurrentHashMap<>();
    private final long lifeMillis;
    private final Time time;

    /**
     * Creates an empty cache.
     *
     * @param lifeMillis how long entries live, positive
     * @param time the time source
     */
    public LapseCache(long lifeMillis, Time time) {
        if (lifeMillis < 1) {
            throw new IllegalArgumentException("lifeMillis: " + lifeMillis);
        }
        this.lifeMillis = lifeMillis;
        this.time = Objects.requireNonNull(time, "time");
    }

    /** Returns the value for a key unless it has lapsed. */
    public Optional<V> get(K key) {
        long now = time.millis();
        Entry<V> entry = entries.get(key);
        if (entry == null) {
            return Optional.empty();
        }
        if (entry.lapsed(now)) {
            entries.remove(key, entry);
            return Optional.empty();
        }
        return Optional.of(entry.value);
    }

    /** Writes a value. */
    public void put(K key, V value) {
        Objects.requireNonNull(value, "value");
        entries.put(key, new Entry<>(value, time.millis() + lifeMillis));
    }

    /**
     * Returns the value for a key, loading and writing it if there is none or it has lapsed. Callers
     * asking for the same key at the same time cause one load. The loader must not use this cache.
     */
    public V getOrLoad(K key, Function<? super K, ? extends V> loader) {
        return entries.compute(key, (k, present) -> {
            if (present != null && !present.lapsed(time.millis())) {
                return present;
            }
            V loaded = Objects.requireNonNull(loader.apply(k), "loaded value");
            return new Entry<>(loaded, time.millis() + lifeMillis);
        }).value;
    }

    /** Removes the entry for a key. */
    public void remove(K key) {
        entries.remove(key);
    }

    /** Passes all entries that have not lapsed to an action. */
    public void forEach(BiConsumer<? super K, ? super V> action) {
        for (Map.Entry<K, Entry<V>> e : entries.entrySet()) {
            Entry<V> entry = e.getValue();
            if (!entry.lapsed(time.millis())) {
                action.accept(e.getKey(), entry.value);
            }
        }
    }

    /** Removes lapsed entries. */
    public void purge() {
        long now = time.millis();
        entries.values().removeIf(entry -> entry.lapsed(now));
    }

    /** Returns about how many entries are held, including lapsed ones not removed yet. */
    public int sizeEstimate() {
        return entries.size();
    }
}
