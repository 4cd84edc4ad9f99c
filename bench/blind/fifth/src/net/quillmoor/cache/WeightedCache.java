package net.quillmoor.cache;

import java.util.Iterator;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A cache bounded by the summed weight of its entries. Entries are evicted in no particular order
 * once the configured maximum is exceeded.
 *
 * <p>Instances are safe for use by any number of threads. Eviction is best effort: when several
 * threads insert at once, a few more entries than strictly needed may be dropped. The recorded
 * {@linkplain #weight() weight} always agrees with the entries held once all calls have returned.
 *
 * @param <K> the key type
 * @param <V> the value type
 */
public final class WeightedCache<K, V> {

    /** Computes how much an entry counts against the limit. */
    public interface Weigher<K, V> {
        /** Returns the weight of an entry, at least one. */
        long weigh(K key, V value);
    }

    private record Weighed<V>(V value, long weight) {
    }

    private final ConcurrentMap<K, Weighed<V>> entries = new ConcurrentHashMap<>();
    private final AtomicLong totalWeight = new AtomicLong();
    private final long maximumWeight;
    private final Weigher<? super K, ? super V> weigher;

    /**
     * Creates an empty cache.
     *
     * @param maximumWeight the weight above which entries are evicted, positive
     * @param weigher how entries are weighed
     */
    public WeightedCache(long maximumWeight, Weigher<? super K, ? super V> weigher) {
        if (maximumWeight <= 0) {
            throw new IllegalArgumentException("maximumWeight: " + maximumWeight);
        }
        this.maximumWeight = maximumWeight;
        this.weigher = Objects.requireNonNull(weigher, "weigher");
    }

    /** Returns the cached value for the key, if there is one. */
    public Optional<V> find(K key) {
        Weighed<V> entry = entries.get(key);
        return entry == null ? Optional.empty() : Optional.of(entry.value());
    }

    /** Stores a value, replacing an earlier one for the same key. */
    public void store(K key, V value) {
        Weighed<V> fresh = new Weighed<>(Objects.requireNonNull(value), weigher.weigh(key, value));
        Weighed<V> old = entries.put(key, fresh);
        long delta = fresh.weight() - (old == null ? 0 : old.weight());
        if (totalWeight.addAndGet(delta) > maximumWeight) {
            trim();
        }
    }

    /**
     * Drops the entry for the key.
     *
     * @return true if an entry was dropped by this call
     */
    public boolean invalidate(K key) {
        Weighed<V> entry = entries.get(key);
        if (entry == null) {
            return false;
        }
        entries.remove(key);
        totalWeight.addAndGet(-entry.weight());
        return true;
    }

    /** Returns the number of entries held. */
    public int size() {
        return entries.size();
    }

    /** Returns the summed weight of the entries held. */
    public long weight() {
        return totalWeight.get();
    }

    private void trim() {
        Iterator<Map.Entry<K, Weighed<V>>> it = entries.entrySet().iterator();
        while (totalWeight.get() > maximumWeight && it.hasNext()) {
            Map.Entry<K, Weighed<V>> victim = it.next();
            Weighed<V> seen = victim.getValue();
            if (entries.remove(victim.getKey(), seen)) {
                totalWeight.addAndGet(-seen.weight());
            }
        }
    }
}
