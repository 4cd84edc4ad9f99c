package org.larkspur.queue;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

/**
 * An unbounded first-in first-out queue based on linked nodes.
 *
 * <p>The queue is lock-free and safe for any number of producers and consumers. Beware that {@link
 * #size} is not a constant-time operation and may be inaccurate if the queue is modified during the
 * traversal.
 *
 * @param <E> the element type
 */
public final class LinkedFifo<E> {

    private static final class Node<E> extends AtomicReference<Node<E>> {
        private static final long serialVersionUID = 1L;

        transient E item;

        Node(E item) {
            this.item = item;
        }
    }

    /** The last node that has been removed; its successor is the first one in the queue. */
    private final AtomicReference<Node<E>> head;

    /** The last node or one before it. */
    private final AtomicReference<Node<E>> tail;

    /** Creates an empty queue. */
    public LinkedFifo() {
        Node<E> dummy = new Node<>(null);
        head = new AtomicReference<>(dummy);
        tail = new AtomicReference<>(dummy);
    }

    /**
     * Appends an element.
     *
     * @param item the element, not null
     */
    public void offer(E item) {
        Node<E> node = new Node<>(Objects.requireNonNull(item, "item"));
        for (;;) {
            Node<E> last = tail.get();
            Node<E> next = last.get();
            if (next != null) {
                tail.compareAndSet(last, next);
            } else if (last.compareAndSet(null, node)) {
                tail.compareAndSet(last, node);
                return;
            }
        }
    }

    /**
     * Removes the oldest element.
     *
     * @return the element or null if the queue is empty
     */
    public E poll() {
        for (;;) {
            Node<E> first = head.get();
            Node<E> last = tail.get();
            Node<E> next = first.get();
            if (next == null) {
                return null;
            }
            if (first == last) {
                tail.compareAndSet(last, next);
                continue;
            }
            E item = next.item;
            if (head.compareAndSet(first, next)) {
                next.item = null;
                return item;
            }
        }
    }

    /**
     * Returns the oldest element.
     *
     * @return the element or null if the queue is empty
     */
    public E peek() {
        for (;;) {
            Node<E> first = head.get();
            Node<E> next = first.get();
            if (next == null) {
                return null;
            }
            E item = next.item;
            if (head.get() == first) {
                return item;
            }
        }
    }

    /** Returns whether the queue is empty. */
    public boolean isEmpty() {
        return head.get().get() == null;
    }

    /** Returns the number of elements, counting them one by one. */
    public int size() {
        int count = 0;
        for (Node<E> node = head.get().get(); node != null; node = node.get()) {
            if (count == Integer.MAX_VALUE) {
                break;
            }
            count++;
        }
        return count;
    }
}
