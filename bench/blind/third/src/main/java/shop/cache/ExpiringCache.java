package shop.cache;

import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * A loading cache whose entries expire a fixed time after they were written.
 *
 * <p>Thread-safe; operations on one key are atomic. While a value is being loaded, other operations on
 * the same key (and possibly on some others) wait, so an invalidated value is never put back. The
 * loader must not use the cache itself.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
public final class ExpiringCache<K, V> {

    private record Entry<V>(V value, long writtenAt) {
    }

    private final ConcurrentMap<K, Entry<V>> entries = new ConcurrentHashMap<>();
    private final long ttlNanos;
    private final LongSupplier ticker;

    /** Creates a cache that uses the system's clock. */
    public ExpiringCache(long ttlNanos) {
        this(ttlNanos, System::nanoTime);
    }

    /**
     * Creates a cache.
     *
     * @param ttlNanos how long an entry lives
     * @param ticker the time in nanoseconds; must not run backwards
     */
    public ExpiringCache(long ttlNanos, LongSupplier ticker) {
        if (ttlNanos <= 0) {
            throw new IllegalArgumentException("ttlNanos: " + ttlNanos);
        }
        this.ttlNanos = ttlNanos;
        this.ticker = Objects.requireNonNull(ticker, "ticker");
    }

    /**
     * Returns the value of a key, loading it if there is none or it has expired. At most one thread
     * loads a key at a time.
     *
     * @return the value, or empty if the loader returned null
     */
    public Optional<V> get(K key, Function<? super K, ? extends V> loader) {
        Entry<V> entry = entries.compute(key, (k, old) -> {
            if (old != null && isAlive(old)) {
                return old;
            }
            V loaded = loader.apply(k);
            return loaded == null ? null : new Entry<V>(loaded, ticker.getAsLong());
        });
        return entry == null ? Optional.empty() : Optional.of(entry.value());
    }

    /** Returns the value of a key if there is one that has not expired. */
    public Optional<V> getIfPresent(K key) {
        Entry<V> entry = entries.get(key);
        if (entry == null) {
            return Optional.empty();
        }
        if (isAlive(entry)) {
            return Optional.of(entry.value());
        }
        entries.remove(key, entry);
        return Optional.empty();
    }

    /** Stores a value. */
    public void put(K key, V value) {
        Objects.requireNonNull(value, "value");
        entries.compute(key, (k, old) -> new Entry<>(value, ticker.getAsLong()));
    }

    /** Removes a key; returns whether it had a value that has not expired. */
    public boolean invalidate(K key) {
        Entry<V> removed = entries.remove(key);
        return removed != null && isAlive(removed);
    }

    /**
     * Removes entries that have expired. Entries written meanwhile are not affected.
     *
     * @return the number of entries removed
     */
    public int purge() {
        int purged = 0;
        for (Map.Entry<K, Entry<V>> e : entries.entrySet()) {
            Entry<V> entry = e.getValue();
            if (!isAlive(entry) && entries.remove(e.getKey(), entry)) {
                purged++;
            }
        }
        return purged;
    }

    /** Returns an estimate of the number of entries; expired ones count until they are removed. */
    public int estimatedSize() {
        return entries.size();
    }

    private boolean isAlive(Entry<V> entry) {
        return ticker.getAsLong() - entry.writtenAt() < ttlNanos;
    }
}
