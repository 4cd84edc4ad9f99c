package org.fenwater.util.concurrent;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/**
 * Remembers the results of an expensive function per key. The function is applied once per key
 * and may itself look up other keys here; entries are spread over stripes so that unrelated keys
 * rarely contend. Instances are thread-safe.
 */
public final class StripedMemo<K, V> {

    private static final int STRIPES = 8;

    private final Stripe<K, V>[] stripes;
    private final Function<? super K, ? extends V> function;

    @SuppressWarnings({"unchecked", "rawtypes"})
    public StripedMemo(Function<? super K, ? extends V> function) {
        this.function = Objects.requireNonNull(function);
        this.stripes = new Stripe[STRIPES];
        for (int i = 0; i < STRIPES; i++) {
            stripes[i] = new Stripe<>();
        }
    }

    /** Returns the result for the key, computing it if it is not known. */
    public V get(K key) {
        Stripe<K, V> stripe = stripeOf(key);
        synchronized (stripe) {
            V value = stripe.values.get(key);
            if (value == null) {
                value = Objects.requireNonNull(function.apply(key));
                stripe.values.put(key, value);
            }
            return value;
        }
    }

    /** Returns the result for the key if it is known, or {@code null}. */
    public V peek(K key) {
        Stripe<K, V> stripe = stripeOf(key);
        synchronized (stripe) {
            return stripe.values.get(key);
        }
    }

    /** Forgets the result for the key. */
    public boolean evict(K key) {
        Stripe<K, V> stripe = stripeOf(key);
        synchronized (stripe) {
            return stripe.values.remove(key) != null;
        }
    }

    private Stripe<K, V> stripeOf(K key) {
        int hash = key.hashCode();
        return stripes[(hash ^ (hash >>> 16)) & (STRIPES - 1)];
    }

    private static final class Stripe<K, V> {
        final Map<K, V> values = new HashMap<>();
    }
}
