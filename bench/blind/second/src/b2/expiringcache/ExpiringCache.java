package b2.expiringcache;

import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * A cache whose entries live for a number of ticks of a logical clock.
 *
 * <p>Thread-safe. Once {@link #put} has returned, the value is found until it expires or is
 * replaced or removed.
 */
public class ExpiringCache<K, V> {
    private static final class Entry<V> {
        final V value;
        final long deadline;

        Entry(V value, long deadline) {
            this.value = value;
            this.deadline = deadline;
        }
    }

    private final ConcurrentMap<K, Entry<V>> entries = new ConcurrentHashMap<>();
    private final int ttl;
    private volatile long now;

    public ExpiringCache() {
        this(1);
    }

    /** @param ttl the life of an entry, in ticks */
    public ExpiringCache(int ttl) {
        if (ttl < 1) {
            throw new IllegalArgumentException("ttl: " + ttl);
        }
        this.ttl = ttl;
    }

    /** Advances the clock by one tick. */
    public synchronized void tick() {
        now = now + 1;
    }

    /** Stores a value, which expires {@code ttl} ticks from now. */
    public synchronized void put(K key, V value) {
        Objects.requireNonNull(value, "value");
        entries.put(key, new Entry<>(value, now + ttl));
    }

    /** Returns the value, or null if it is absent or has expired. */
    public V get(K key) {
        Entry<V> entry = entries.get(key);
        if (entry == null) {
            return null;
        }
        if (entry.deadline <= now) {
            entries.remove(key);
            return null;
        }
        return entry.value;
    }

    /** Removes the value. */
    public void invalidate(K key) {
        entries.remove(key);
    }
}
