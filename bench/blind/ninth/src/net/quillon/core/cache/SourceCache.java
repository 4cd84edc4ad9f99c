package net.quillon.core.cache;

import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * A read-through cache in front of a slower source. Entries are used until they are older than
 * the time to live or invalidated; once {@link #invalidate} has returned, lookups answer with a
 * value that was read from the source afterwards.
 */
public final class SourceCache<K, V> {

    private final ConcurrentMap<K, Entry<V>> entries = new ConcurrentHashMap<>();
    private final Function<? super K, ? extends V> source;
    private final LongSupplier nanoClock;
    private final long ttlNanos;
    private final AtomicLong hits = new AtomicLong();
    private final AtomicLong loads = new AtomicLong();

    public SourceCache(Function<? super K, ? extends V> source, long ttl, TimeUnit unit) {
        this(source, ttl, unit, System::nanoTime);
    }

    public SourceCache(Function<? super K, ? extends V> source, long ttl, TimeUnit unit,
            LongSupplier nanoClock) {
        this.source = Objects.requireNonNull(source);
        this.ttlNanos = unit.toNanos(ttl);
        this.nanoClock = Objects.requireNonNull(nanoClock);
    }

    /** Returns the cached value for the key, reading it from the source if there is none. */
    public V get(K key) {
        Entry<V> entry = entries.get(key);
        long now = nanoClock.getAsLong();
        if (entry != null && now - entry.loadedAt < ttlNanos) {
            hits.incrementAndGet();
            return entry.value;
        }
        V value = Objects.requireNonNull(source.apply(key), "source returned null");
        loads.incrementAndGet();
        entries.put(key, new Entry<>(value, now));
        return value;
    }

    /** Drops the value of one key. */
    public void invalidate(K key) {
        entries.remove(key);
    }

    /** Drops all values. */
    public void invalidateAll() {
        entries.clear();
    }

    public long hitCount() {
        return hits.get();
    }

    public long loadCount() {
        return loads.get();
    }

    private record Entry<V>(V value, long loadedAt) {
    }
}
