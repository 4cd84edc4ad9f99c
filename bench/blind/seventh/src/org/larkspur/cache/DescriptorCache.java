package org.larkspur.cache;

import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;

/**
 * A simple cache for descriptors that can be made anew at any time, such as type descriptions or
 * parsed patterns. When it gets too large, all of its contents are thrown away.
 *
 * <p>This class is thread-safe. The factory may be called several times for the same key, also
 * concurrently; it must return interchangeable descriptors then. Entries may vanish at any time.
 * The maximum size is approximate: it may be exceeded by the number of threads that are adding
 * entries.
 *
 * @param <K> the type of keys
 * @param <D> the type of descriptors
 */
public class DescriptorCache<K, D> {

    private final ConcurrentMap<K, D> map = new ConcurrentHashMap<>();
    private final int maximumSize;
    private final Function<? super K, ? extends D> factory;

    /** The entry found last. */
    private volatile Last<K, D> last;

    private static final class Last<K, D> {
        final K key;
        final D descriptor;

        Last(K key, D descriptor) {
            this.key = key;
            this.descriptor = descriptor;
        }
    }

    /**
     * Creates a cache.
     *
     * @param maximumSize the approximate maximum number of entries
     * @param factory makes descriptors
     */
    public DescriptorCache(int maximumSize, Function<? super K, ? extends D> factory) {
        if (maximumSize <= 0) {
            throw new IllegalArgumentException("maximumSize: " + maximumSize);
        }
        this.maximumSize = maximumSize;
        this.factory = Objects.requireNonNull(factory, "factory");
    }

    /**
     * Returns the descriptor for a key.
     *
     * @param key the key, not null
     * @return the descriptor
     */
    public D get(K key) {
        Objects.requireNonNull(key, "key");
        Last<K, D> recent = last;
        if (recent != null && recent.key.equals(key)) {
            return recent.descriptor;
        }
        D descriptor = map.get(key);
        if (descriptor == null) {
            descriptor = Objects.requireNonNull(factory.apply(key), "factory returned null");
            if (map.size() >= maximumSize) {
                synchronized (this) {
                    if (map.size() >= maximumSize) {
                        map.clear();
                    }
                }
            }
            D other = map.putIfAbsent(key, descriptor);
            if (other != null) {
                descriptor = other;
            }
        }
        last = new Last<>(key, descriptor);
        return descriptor;
    }

    /** Returns an estimate of the number of entries. */
    public int size() {
        return map.size();
    }
}
