package b2.linkedstack;

import java.util.NoSuchElementException;
import java.util.concurrent.atomic.AtomicReference;

/**
 * An unbounded lock-free stack.
 *
 * <p>Thread-safe; all operations are linearizable.
 */
public class LinkedStack<E> {
    private static final class Node<E> {
        final E item;
        final Node<E> next;
        final int depth;

        Node(E item, Node<E> next) {
            this.item = item;
            this.next = next;
            this.depth = next == null ? 1 : next.depth + 1;
        }
    }

    private final AtomicReference<Node<E>> top = new AtomicReference<>();

    /** Pushes an item. */
    public void push(E item) {
        Node<E> head;
        Node<E> node;
        do {
            head = top.get();
            node = new Node<>(item, head);
        } while (!top.compareAndSet(head, node));
    }

    /**
     * Pops the item pushed last.
     *
     * @throws NoSuchElementException if the stack is empty
     */
    public E pop() {
        Node<E> head;
        do {
            head = top.get();
            if (head == null) {
                throw new NoSuchElementException();
            }
        } while (!top.compareAndSet(head, head.next));
        return head.item;
    }

    /** Returns the item pushed last, or null if the stack is empty. */
    public E peek() {
        Node<E> head = top.get();
        return head == null ? null : head.item;
    }

    /** Returns the number of items. */
    public int size() {
        Node<E> head = top.get();
        return head == null ? 0 : head.depth;
    }

    /** Removes all items and returns how many there were. */
    public int clear() {
        Node<E> head = top.getAndSet(null);
        return head == null ? 0 : head.depth;
    }
}
