package net.harborline.memory;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/**
 * Keeps expensive objects for later use. The object given back last is handed out first, since it
 * is the one most likely to be in the processor caches. Neither method blocks.
 *
 * <p>Objects must be given back once per use. May be shared between threads.
 *
 * @param <T> type of the objects
 */
public class RecyclerStack<T> {

    private static final class Node<T> {
        final T item;
        final Node<T> below;
        final int depth;

        Node(T item, Node<T> below) {
            this.item = item;
            this.below = below;
            this.depth = below == null ? 1 : below.depth + 1;
        }
    }

    private final Supplier<? extends T> factory;
    private final int maxKept;
    private final AtomicReference<Node<T>> top = new AtomicReference<>();

    /**
     * Creates an empty recycler.
     *
     * @param factory makes new objects, must be safe for use by several threads
     * @param maxKept number of objects to keep at most
     */
    public RecyclerStack(Supplier<? extends T> factory, int maxKept) {
        this.factory = Objects.requireNonNull(factory, "factory");
        this.maxKept = maxKept;
    }

    /** Returns a kept object, or a new one if none is kept. */
    public T obtain() {
        Node<T> node;
        do {
            node = top.get();
            if (node == null) {
                return factory.get();
            }
        } while (!top.compareAndSet(node, node.below));
        return node.item;
    }

    /**
     * Gives an object back.
     *
     * @return {@code false} if enough objects are kept and this one should be disposed of
     */
    public boolean giveBack(T item) {
        Objects.requireNonNull(item, "item");
        for (;;) {
            Node<T> node = top.get();
            if (node != null ? node.depth >= maxKept : maxKept < 1) {
                return false;
            }
            if (top.compareAndSet(node, new Node<>(item, node))) {
                return true;
            }
        }
    }

    /** Drops all objects kept and returns how many there were. */
    public int clear() {
        Node<T> node = top.getAndSet(null);
        return node == null ? 0 : node.depth;
    }

    /** Returns the number of objects kept. */
    public int kept() {
        Node<T> node = top.get();
        return node == null ? 0 : node.depth;
    }
}
