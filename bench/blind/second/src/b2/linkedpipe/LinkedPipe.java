package b2.linkedpipe;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

/**
 * An unbounded lock-free first-in first-out queue for any number of threads.
 *
 * <p>Thread-safe; all operations are linearizable. Elements must not be null.
 */
public class LinkedPipe<E> {
    private static final class Node<E> {
        volatile E item;
        final AtomicReference<Node<E>> next = new AtomicReference<>();

        Node(E item) {
            this.item = item;
        }
    }

    private final AtomicReference<Node<E>> head;
    private final AtomicReference<Node<E>> tail;

    public LinkedPipe() {
        Node<E> sentinel = new Node<>(null);
        head = new AtomicReference<>(sentinel);
        tail = new AtomicReference<>(sentinel);
    }

    /** Appends an element. */
    public void offer(E element) {
        Node<E> node = new Node<>(Objects.requireNonNull(element));
        while (true) {
            Node<E> last = tail.get();
            Node<E> next = last.next.get();
            if (next != null) {
                tail.compareAndSet(last, next);
            } else if (last.next.compareAndSet(null, node)) {
                tail.compareAndSet(last, node);
                return;
            }
        }
    }

    /** Removes and returns the oldest element, or returns null if there is none. */
    public E poll() {
        while (true) {
            Node<E> first = head.get();
            Node<E> last = tail.get();
            Node<E> next = first.next.get();
            if (next == null) {
                return null;
            }
            if (first == last) {
                tail.compareAndSet(last, next);
                continue;
            }
            if (head.compareAndSet(first, next)) {
                E item = next.item;
                next.item = null;
                return item;
            }
        }
    }

    /** Returns the oldest element without removing it, or null if there is none. */
    public E peek() {
        while (true) {
            Node<E> first = head.get();
            Node<E> next = first.next.get();
            if (next == null) {
                return null;
            }
            E item = next.item;
            if (head.get() == first) {
                return item;
            }
        }
    }

    /** Tells whether there are no elements. */
    public boolean isEmpty() {
        return head.get().next.get() == null;
    }
}
