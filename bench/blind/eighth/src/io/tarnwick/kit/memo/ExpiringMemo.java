package io.tarnwick.kit.memo;

import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * Remembers values for a limited time. An entry that has expired is as good as gone
 * and is dropped when somebody comes across it.
 *
 * <p>Thread-safe. Functions given to {@link #computeIfAbsent} are called at most once
 * at a time for a key and must not use the memo.
 *
 * @param <K> keys
 * @param <V> values, not null
 */
public class ExpiringMemo<K, V> {

    private static final class Dated<V> {
        final V value;
        final long expiry;

        Dated(V value, long expiry) {
            this.value = value;
            this.expiry = expiry;
        }

        boolean expiredAt(long now) {
            return now - expiry >= 0;
        }
    }

    private final ConcurrentMap<K, Dated<V>> entries = new ConcurrentHashMap<>();
    private final LongSupplier ticker;
    private final long lifetime;

    /** @param lifetimeNanos how long entries live */
    public ExpiringMemo(long lifetimeNanos) {
        this(lifetimeNanos, System::nanoTime);
    }

    /** @param ticker a clock that never goes back, in the unit of the lifetime */
    public ExpiringMemo(long lifetime, LongSupplier ticker) {
        if (lifetime < 1) {
            throw new IllegalArgumentException("lifetime: " + lifetime);
        }
        this.lifetime = lifetime;
        this.ticker = Objects.requireNonNull(ticker, "ticker");
    }

    /** The value for the key, or null. */
    public V get(K key) {
        long now = ticker.getAsLong();
        Dated<V> entry = entries.get(key);
        if (entry == null) {
            return null;
        }
        if (entry.expiredAt(now)) {
            entries.remove(key, entry);
            return null;
        }
        return entry.value;
    }

    /** Remembers a value from now on, in place of the one there may be. */
    public void put(K key, V value) {
        Objects.requireNonNull(value, "value");
        entries.compute(key, (k, present) -> dated(value));
    }

    /** The value for the key, which is computed if there is none; null if the function says so. */
    public V computeIfAbsent(K key, Function<? super K, ? extends V> function) {
        Dated<V> entry = entries.compute(key, (k, present) -> {
            if (present != null && !present.expiredAt(ticker.getAsLong())) {
                return present;
            }
            V value = function.apply(k);
            return value == null ? null : dated(value);
        });
        return entry == null ? null : entry.value;
    }

    /** Forgets the value for the key. */
    public void forget(K key) {
        entries.remove(key);
    }

    /** Drops what has expired; entries that expire meanwhile may stay. */
    public void tidy() {
        long now = ticker.getAsLong();
        for (Map.Entry<K, Dated<V>> e : entries.entrySet()) {
            Dated<V> entry = e.getValue();
            if (entry.expiredAt(now)) {
                entries.remove(e.getKey(), entry);
            }
        }
    }

    private Dated<V> dated(V value) {
        return new Dated<>(value, ticker.getAsLong() + lifetime);
    }
}
