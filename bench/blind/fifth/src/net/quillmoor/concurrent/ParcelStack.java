package net.quillmoor.concurrent;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

/**
 * An unbounded last-in-first-out stack without locks.
 *
 * <p>Thread-safe. {@link #push}, {@link #pop}, {@link #peek} and {@link #popAll} each take effect at
 * one moment. {@link #sizeEstimate()} only counts what it meets while walking the stack.
 *
 * @param <T> the element type
 */
public final class ParcelStack<T> {

    private static final class Node<T> {
        final T item;
        Node<T> below;

        Node(T item) {
            this.item = item;
        }
    }

    private final AtomicReference<Node<T>> top = new AtomicReference<>();

    /** Creates an empty stack. */
    public ParcelStack() {
    }

    /** Puts an element on top. */
    public void push(T item) {
        Node<T> node = new Node<>(Objects.requireNonNull(item, "item"));
        Node<T> current;
        do {
            current = top.get();
            node.below = current;
        } while (!top.compareAndSet(current, node));
    }

    /** Removes and returns the top element, or returns null if the stack is empty. */
    public T pop() {
        for (;;) {
            Node<T> current = top.get();
            if (current == null) {
                return null;
            }
            if (top.compareAndSet(current, current.below)) {
                return current.item;
            }
        }
    }

    /** Returns the top element without removing it, or null if the stack is empty. */
    public T peek() {
        Node<T> current = top.get();
        return current == null ? null : current.item;
    }

    /** Removes all elements at once and returns them, the top one first. */
    public List<T> popAll() {
        List<T> items = new ArrayList<>();
        for (Node<T> node = top.getAndSet(null); node != null; node = node.below) {
            items.add(node.item);
        }
        return items;
    }

    /** Tells whether the stack is empty. */
    public boolean isEmpty() {
        return top.get() == null;
    }

    /**
     * Counts the elements. Elements pushed or popped during the call may or may not be counted, so
     * the result is an estimate unless the stack is left alone.
     */
    public int sizeEstimate() {
        int count = 0;
        for (Node<T> node = top.get(); node != null; node = node.below) {
            count++;
        }
        return count;
    }
}
