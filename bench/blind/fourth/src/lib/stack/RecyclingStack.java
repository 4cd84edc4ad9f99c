package lib.stack;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

/**
 * An unbounded lock-free LIFO stack that keeps allocation low: the node of a popped element is kept
 * aside and used again by a later push.
 *
 * <p>Thread-safe. {@link #push}, {@link #pop}, {@link #peek} and {@link #isEmpty} are atomic; every
 * pushed element is returned by exactly one pop. A spare node may keep its last element reachable
 * until it is used again.
 *
 * @param <E> type of the elements, {@code null} is not permitted
 */
public final class RecyclingStack<E> {

    private static final class Node<E> {
        volatile E value;
        volatile Node<E> next;
    }

    private final AtomicReference<Node<E>> head = new AtomicReference<>();
    private final AtomicReference<Node<E>> spare = new AtomicReference<>();

    /** Puts the element on top of the stack. */
    public void push(E e) {
        Objects.requireNonNull(e);
        Node<E> node = obtain();
        node.value = e;
        Node<E> top;
        do {
            top = head.get();
            node.next = top;
        } while (!head.compareAndSet(top, node));
    }

    /** Removes and returns the top of the stack, or {@code null} if the stack is empty. */
    public E pop() {
        for (;;) {
            Node<E> top = head.get();
            if (top == null) {
                return null;
            }
            Node<E> next = top.next;
            if (head.compareAndSet(top, next)) {
                E value = top.value;
                spare.compareAndSet(null, top);
                return value;
            }
        }
    }

    /** Returns the top of the stack without removing it, or {@code null} if the stack is empty. */
    public E peek() {
        for (;;) {
            Node<E> top = head.get();
            if (top == null) {
                return null;
            }
            E value = top.value;
            if (head.get() == top && top.value == value) {
                return value;
            }
        }
    }

    /** Returns whether the stack holds no element. */
    public boolean isEmpty() {
        return head.get() == null;
    }

    private Node<E> obtain() {
        Node<E> node = spare.getAndSet(null);
        return node != null ? node : new Node<>();
    }
}
