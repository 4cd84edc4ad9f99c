package com.acme.stripe;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;

/**
 * A hash map split into stripes with a lock each. Methods on a key lock its
 * stripe; {@link #size} and {@link #clear} lock all stripes in a fixed order
 * and are exact. {@link #forEach} is weakly consistent.
 */
public class StripedMap<K, V> {

    private static final class Stripe<K, V> extends ReentrantLock {
        private static final long serialVersionUID = 1L;
        final transient Map<K, V> map = new HashMap<>();
    }

    private final Stripe<K, V>[] stripes;

    @SuppressWarnings("unchecked")
    public StripedMap() {
        stripes = (Stripe<K, V>[]) new Stripe<?, ?>[4];
        for (int i = 0; i < stripes.length; i++) {
            stripes[i] = new Stripe<>();
        }
    }

    private Stripe<K, V> stripe(K key) {
        int h = key.hashCode();
        return stripes[(h ^ h >>> 16) & stripes.length - 1];
    }

    public V get(K key) {
        Stripe<K, V> s = stripe(key);
        s.lock();
        try {
            return s.map.get(key);
        } finally {
            s.unlock();
        }
    }

    public V put(K key, V value) {
        Objects.requireNonNull(value);
        Stripe<K, V> s = stripe(key);
        s.lock();
        try {
            return s.map.put(key, value);
        } finally {
            s.unlock();
        }
    }

    public V remove(K key) {
        Stripe<K, V> s = stripe(key);
        s.lock();
        try {
            return s.map.remove(key);
        } finally {
            s.unlock();
        }
    }

    /**
     * Replaces the value of a key by a function of it, which gets null if
     * there is none and must not use this map.
     *
     * @return the new value
     */
    public V update(K key, UnaryOperator<V> function) {
        Stripe<K, V> s = stripe(key);
        s.lock();
        try {
            V v = Objects.requireNonNull(function.apply(s.map.get(key)));
            s.map.put(key, v);
            return v;
        } finally {
            s.unlock();
        }
    }

    /** Number of entries at one moment. */
    public int size() {
        lockAll();
        try {
            int n = 0;
            for (Stripe<K, V> s : stripes) {
                n += s.map.size();
            }
            return n;
        } finally {
            unlockAll();
        }
    }

    /** Removes all entries at one moment. */
    public void clear() {
        lockAll();
        try {
            for (Stripe<K, V> s : stripes) {
                s.map.clear();
            }
        } finally {
            unlockAll();
        }
    }

    private void lockAll() {
        for (Stripe<K, V> s : stripes) {
            s.lock();
        }
    }

    private void unlockAll() {
        for (Stripe<K, V> s : stripes) {
            s.unlock();
        }
    }

    /**
     * Calls the action for each entry, outside of the locks. Weakly
     * consistent: stripes are copied one after the other, so changes made
     * meanwhile may or may not be seen.
     */
    public void forEach(BiConsumer<? super K, ? super V> action) {
        for (Stripe<K, V> s : stripes) {
            Map<K, V> copy;
            s.lock();
            try {
                copy = new HashMap<>(s.map);
            } finally {
                s.unlock();
            }
            copy.forEach(action);
        }
    }
}
