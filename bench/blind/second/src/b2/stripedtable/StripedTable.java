package b2.stripedtable;

import java.util.Objects;

/**
 * A fixed-size hash table whose buckets are guarded by striped locks, so that operations on
 * different keys seldom wait for each other.
 *
 * <p>Thread-safe; every operation on a single key is atomic. Neither keys nor values may be null.
 */
public class StripedTable<K, V> {
    private static final int BUCKETS = 64;
    private static final int STRIPES = 16;

    private static final class Node<K, V> {
        final K key;
        V value;
        Node<K, V> next;

        Node(K key, V value, Node<K, V> next) {
            this.key = key;
            this.value = value;
            this.next = next;
        }
    }

    @SuppressWarnings("unchecked")
    private final Node<K, V>[] buckets = (Node<K, V>[]) new Node<?, ?>[BUCKETS];
    private final Object[] stripes = new Object[STRIPES];

    public StripedTable() {
        for (int i = 0; i < STRIPES; i++) {
            stripes[i] = new Object();
        }
    }

    private static int bucketOf(Object key) {
        return (key.hashCode() * 0x9E3779B9) >>> 26;
    }

    private Object stripeOf(int hash) {
        return stripes[hash & (STRIPES - 1)];
    }

    /** Returns the value of the key, or null. */
    public V get(K key) {
        int b = bucketOf(key);
        synchronized (stripeOf(b)) {
            for (Node<K, V> n = buckets[b]; n != null; n = n.next) {
                if (n.key.equals(key)) {
                    return n.value;
                }
            }
            return null;
        }
    }

    /** Sets the value of the key and returns the previous one, or null. */
    public V put(K key, V value) {
        Objects.requireNonNull(value, "value");
        int b = bucketOf(key);
        synchronized (stripeOf(b)) {
            for (Node<K, V> n = buckets[b]; n != null; n = n.next) {
                if (n.key.equals(key)) {
                    V old = n.value;
                    n.value = value;
                    return old;
                }
            }
            buckets[b] = new Node<>(key, value, buckets[b]);
            return null;
        }
    }

    /** Removes the key and returns its value, or null if it was absent. */
    public V remove(K key) {
        int b = bucketOf(key);
        synchronized (stripeOf(key.hashCode())) {
            Node<K, V> previous = null;
            for (Node<K, V> n = buckets[b]; n != null; previous = n, n = n.next) {
                if (n.key.equals(key)) {
                    if (previous == null) {
                        buckets[b] = n.next;
                    } else {
                        previous.next = n.next;
                    }
                    return n.value;
                }
            }
            return null;
        }
    }
}
