package io.tarnwick.kit.cache;

import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A cache bounded by the total weight of its entries. When an insertion takes the
 * total above the bound, arbitrary entries are dropped until it is met again.
 *
 * <p>All operations may be used concurrently. While updates are under way the
 * bound may be exceeded for a short time; when none is, {@link #weight} is the sum
 * of the weights of the entries present.
 *
 * @param <K> keys
 * @param <V> values
 */
public class WeightedCache<K, V> {

    private static final class Weighed<V> {
        final V value;
        final int weight;

        Weighed(V value, int weight) {
            this.value = value;
            this.weight = weight;
        }
    }

    private final ConcurrentMap<K, Weighed<V>> entries = new ConcurrentHashMap<>();
    private final AtomicLong weight = new AtomicLong();
    private final long maxWeight;

    public WeightedCache(long maxWeight) {
        if (maxWeight < 1) {
            throw new IllegalArgumentException("maxWeight: " + maxWeight);
        }
        this.maxWeight = maxWeight;
    }

    /** The value for the key, or null. */
    public V get(K key) {
        Weighed<V> entry = entries.get(key);
        return entry == null ? null : entry.value;
    }

    /**
     * Stores a value.
     *
     * @return false if the value alone outweighs the bound; nothing is changed then
     */
    public boolean put(K key, V value, int valueWeight) {
        Objects.requireNonNull(value, "value");
        if (valueWeight < 0) {
            throw new IllegalArgumentException("weight: " + valueWeight);
        }
        if (valueWeight > maxWeight) {
            return false;
        }
        Weighed<V> old = entries.put(key, new Weighed<>(value, valueWeight));
        long delta = old == null ? valueWeight : (long) valueWeight - old.weight;
        if (weight.addAndGet(delta) > maxWeight) {
            trim(key);
        }
        return true;
    }

    /** Drops the entry for the key, if any. */
    public boolean remove(K key) {
        Weighed<V> entry = entries.get(key);
        if (entry == null) {
            return false;
        }
        if (entries.remove(key) == null) {
            return false;
        }
        weight.addAndGet(-entry.weight);
        return true;
    }

    /** The total weight. */
    public long weight() {
        return weight.get();
    }

    /** The number of entries. */
    public int size() {
        return entries.size();
    }

    private void trim(K latest) {
        for (K candidate : entries.keySet()) {
            if (weight.get() <= maxWeight) {
                return;
            }
            if (!candidate.equals(latest)) {
                remove(candidate);
            }
        }
    }
}
