package org.larkspur.collect;

import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A map from strings to values that can look up the longest prefix of a string. Updates copy the
 * path to the changed node.
 *
 * @param <V> the type of values
 */
public class PersistentTrie<V> {

    private static final class Node<V> {
        final V value;
        final TreeMap<Character, Node<V>> children;

        Node(V value, TreeMap<Character, Node<V>> children) {
            this.value = value;
            this.children = children;
        }

        Node<V> with(String key, int depth, V newValue) {
            if (depth == key.length()) {
                return new Node<>(newValue, children);
            }
            char c = key.charAt(depth);
            Node<V> child = children.get(c);
            if (child == null) {
                child = new Node<>(null, new TreeMap<>());
            }
            Node<V> changed = child.with(key, depth + 1, newValue);
            TreeMap<Character, Node<V>> copy = new TreeMap<>(children);
            if (changed.value == null && changed.children.isEmpty()) {
                copy.remove(c);
            } else {
                copy.put(c, changed);
            }
            return new Node<>(value, copy);
        }
    }

    private static final class Root<V> {
        final Node<V> node;
        final int size;

        Root(Node<V> node, int size) {
            this.node = node;
            this.size = size;
        }

        V find(String key) {
            Node<V> current = node;
            for (int i = 0; i < key.length() && current != null; i++) {
                current = current.children.get(key.charAt(i));
            }
            return current == null ? null : current.value;
        }
    }

    private final AtomicReference<Root<V>> root =
            new AtomicReference<>(new Root<>(new Node<V>(null, new TreeMap<>()), 0));

    /** Returns the value of a key, null if there is none. */
    public V get(String key) {
        return root.get().find(key);
    }

    /**
     * Sets the value of a key.
     *
     * @param key the key
     * @param value the value, not null
     * @return the previous value or null
     */
    public V put(String key, V value) {
        Objects.requireNonNull(key, "key");
        return update(key, Objects.requireNonNull(value, "value"));
    }

    /**
     * Removes the value of a key.
     *
     * @param key the key
     * @return the removed value or null
     */
    public V remove(String key) {
        return update(Objects.requireNonNull(key, "key"), null);
    }

    /** Returns the value of the longest key that is a prefix of the text, null if there is none. */
    public V longestPrefix(String text) {
        Node<V> current = root.get().node;
        V found = current.value;
        for (int i = 0; i < text.length(); i++) {
            current = current.children.get(text.charAt(i));
            if (current == null) {
                break;
            }
            if (current.value != null) {
                found = current.value;
            }
        }
        return found;
    }

    /** Returns the number of keys. */
    public int size() {
        return root.get().size;
    }

    /** Returns a sorted copy of all keys and values. */
    public Map<String, V> toMap() {
        TreeMap<String, V> result = new TreeMap<>();
        collect(root.get().node, new StringBuilder(), result);
        return result;
    }

    private V update(String key, V value) {
        for (;;) {
            Root<V> current = root.get();
            V previous = current.find(key);
            if (previous == value) {
                return previous;
            }
            int delta = (value == null ? 0 : 1) - (previous == null ? 0 : 1);
            Root<V> changed = new Root<>(current.node.with(key, 0, value), current.size + delta);
            if (root.compareAndSet(current, changed)) {
                return previous;
            }
        }
    }

    private static <V> void collect(Node<V> node, StringBuilder path, Map<String, V> result) {
        if (node.value != null) {
            result.put(path.toString(), node.value);
        }
        for (Map.Entry<Character, Node<V>> child : node.children.entrySet()) {
            path.append(child.getKey().charValue());
            collect(child.getValue(), path, result);
            path.setLength(path.length() - 1);
        }
    }
}
