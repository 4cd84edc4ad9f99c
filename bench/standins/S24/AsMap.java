/*
 * Subject S24, stands for com.google.common.collect.AbstractMultimap$AsMap of google-collections 1.0. 15 methods.
 *
 * Pattern: the set of entries is made when first asked for, without a lock. entrySet copies the field to a local
 *          variable, then tests the field, and returns the local variable if the field is not null.
 * Pair:    entrySet() ∥ entrySet(), and any two of size, isEmpty, containsValue, values, hashCode, toString, equals,
 *          which go through entrySet.
 * Shows:   entrySet returns null; the others throw NullPointerException.
 */
package standin.s24;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A multimap seen as a map. What it holds is safe, so that the field alone is not.
 *
 * <p>It is no java.util.Map: those have gained public methods since, and the number of methods is to stay.
 */
public class AsMap {
    private final Map<Object, Object> held = new ConcurrentHashMap<>();
    private Set<Map.Entry<Object, Object>> entries;

    public AsMap() {
    }

    public Set<Map.Entry<Object, Object>> entrySet() {
        Set<Map.Entry<Object, Object>> result = entries;
        if (entries == null) {
            result = held.entrySet();
            entries = result;
        }
        return result;
    }

    public int size() {
        return entrySet().size();
    }

    public boolean isEmpty() {
        return entrySet().isEmpty();
    }

    public boolean containsKey(Object key) {
        return held.containsKey(key);
    }

    public boolean containsValue(Object value) {
        return values().contains(value);
    }

    public Object get(Object key) {
        return held.get(key);
    }

    public Object put(Object key, Object value) {
        return held.put(key, value);
    }

    public Object remove(Object key) {
        return held.remove(key);
    }

    public void putAll(Map<?, ?> other) {
        held.putAll(other);
    }

    public void clear() {
        held.clear();
    }

    public Set<Object> keySet() {
        return held.keySet();
    }

    public Collection<Object> values() {
        Collection<Object> values = new ArrayList<>();
        for (Map.Entry<Object, Object> entry : entrySet()) {
            values.add(entry.getValue());
        }
        return values;
    }

    @Override
    public boolean equals(Object other) {
        return other == this || other instanceof AsMap && entrySet().equals(((AsMap) other).entrySet());
    }

    @Override
    public int hashCode() {
        return entrySet().hashCode();
    }

    @Override
    public String toString() {
        return entrySet().toString();
    }
}
