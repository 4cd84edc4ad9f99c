package b2.lrumap;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * A map with a limited number of entries, which drops the entry that has not been used for the
 * longest time.
 *
 * <p>Thread-safe; every method is atomic.
 */
public class LruMap<K, V> {
    private final int limit;
    private final Map<K, V> entries = new LinkedHashMap<>(16, 0.75f, true);

    public LruMap() {
        this(2);
    }

    public LruMap(int limit) {
        if (limit < 1) {
            throw new IllegalArgumentException("limit: " + limit);
        }
        this.limit = limit;
    }

    /** Returns the value, or null; the entry becomes the most recent one. */
    public synchronized V get(K key) {
        return entries.get(key);
    }

    /** Sets the value; returns the former one, or null. */
    public synchronized V put(K key, V value) {
        V old = entries.put(key, value);
        trim();
        return old;
    }

    /**
     * Returns the value, which is computed and stored if it is absent. The function is called
     * while the map is locked; it must not use the map.
     */
    public synchronized V getOrCompute(K key, Function<? super K, ? extends V> function) {
        V value = entries.get(key);
        if (value == null) {
            value = function.apply(key);
            if (value != null) {
                entries.put(key, value);
                trim();
            }
        }
        return value;
    }

    /** Returns a copy of the keys, the least recent one first. */
    public synchronized List<K> keys() {
        return new ArrayList<>(entries.keySet());
    }

    /** Returns the number of entries; never more than the limit. */
    public synchronized int size() {
        return entries.size();
    }

    private void trim() {
        var iterator = entries.entrySet().iterator();
        while (entries.size() > limit) {
            iterator.next();
            iterator.remove();
        }
    }
}
