package lib.map;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A hash table guarded by a fixed set of locks, each of them responsible for every fourth bucket.
 * The table doubles when it is three quarters full; growing takes all locks.
 *
 * <p>Thread-safe: {@link #get}, {@link #put} and {@link #remove} are atomic. {@link #size} is exact
 * when no update is running and an estimate otherwise.
 *
 * @param <K> type of the keys, {@code null} is not permitted
 * @param <V> type of the values, {@code null} is not permitted
 */
public class StripedHashTable<K, V> {
    private static final int STRIPES = 4;
    private static final int INITIAL_BUCKETS = 8;

    private static final class Node<K, V> {
        final int hash;
        final K key;
        V value;
        Node<K, V> next;

        Node(int hash, K key, V value, Node<K, V> next) {
            this.hash = hash;
            this.key = key;
            this.value = value;
            this.next = next;
        }
    }

    private final ReentrantLock[] stripes = new ReentrantLock[STRIPES];
    private final AtomicInteger size = new AtomicInteger();
    private volatile Node<K, V>[] table = newTable(INITIAL_BUCKETS);

    public StripedHashTable() {
        for (int i = 0; i < STRIPES; i++) {
            stripes[i] = new ReentrantLock();
        }
    }

    /** Returns the value of the key, or {@code null} if there is none. */
    public V get(K key) {
        int hash = spread(key);
        ReentrantLock stripe = stripes[hash & (STRIPES - 1)];
        stripe.lock();
        try {
            Node<K, V>[] tab = table;
            Node<K, V> node = find(tab[hash & (tab.length - 1)], hash, key);
            return node == null ? null : node.value;
        } finally {
            stripe.unlock();
        }
    }

    /** Associates the value with the key and returns the previous value or {@code null}. */
    public V put(K key, V value) {
        Objects.requireNonNull(value);
        int hash = spread(key);
        Node<K, V>[] tab = table;
        int bucket = hash & (tab.length - 1);
        ReentrantLock stripe = stripes[hash & (STRIPES - 1)];
        stripe.lock();
        try {
            Node<K, V> node = find(tab[bucket], hash, key);
            if (node != null) {
                V old = node.value;
                node.value = value;
                return old;
            }
            tab[bucket] = new Node<>(hash, key, value, tab[bucket]);
        } finally {
            stripe.unlock();
        }
        if (size.incrementAndGet() > tab.length - tab.length / 4) {
            grow(tab);
        }
        return null;
    }

    /** Removes the key and returns its value or {@code null}. */
    public V remove(K key) {
        int hash = spread(key);
        ReentrantLock stripe = stripes[hash & (STRIPES - 1)];
        stripe.lock();
        try {
            Node<K, V>[] tab = table;
            int bucket = hash & (tab.length - 1);
            Node<K, V> prev = null;
            for (Node<K, V> n = tab[bucket]; n != null; prev = n, n = n.next) {
                if (n.hash == hash && n.key.equals(key)) {
                    if (prev == null) {
                        tab[bucket] = n.next;
                    } else {
                        prev.next = n.next;
                    }
                    size.decrementAndGet();
                    return n.value;
                }
            }
            return null;
        } finally {
            stripe.unlock();
        }
    }

    /** Returns the number of keys. */
    public int size() {
        return size.get();
    }

    private void grow(Node<K, V>[] full) {
        for (ReentrantLock stripe : stripes) {
            stripe.lock();
        }
        try {
            if (table != full) {
                return;
            }
            Node<K, V>[] bigger = newTable(full.length * 2);
            for (Node<K, V> first : full) {
                for (Node<K, V> n = first; n != null; n = n.next) {
                    int bucket = n.hash & (bigger.length - 1);
                    bigger[bucket] = new Node<>(n.hash, n.key, n.value, bigger[bucket]);
                }
            }
            table = bigger;
        } finally {
            for (ReentrantLock stripe : stripes) {
                stripe.unlock();
            }
        }
    }

    private static <K, V> Node<K, V> find(Node<K, V> first, int hash, Object key) {
        Node<K, V> n = first;
        while (n != null && !(n.hash == hash && n.key.equals(key))) {
            n = n.next;
        }
        return n;
    }

    private static int spread(Object key) {
        int h = key.hashCode();
        return h ^ (h >>> 16);
    }

    @SuppressWarnings("unchecked")
    private static <K, V> Node<K, V>[] newTable(int length) {
        return (Node<K, V>[]) new Node<?, ?>[length];
    }
}
