package lib.queue;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;

/**
 * An unbounded lock-free FIFO queue made of linked nodes.
 *
 * <p>Thread-safe. {@link #offer}, {@link #poll}, {@link #peek} and {@link #isEmpty} are linearizable.
 * {@link #estimateSize} walks over the nodes without stopping other threads and is only an estimate
 * while the queue is changed. The element polled last stays reachable until the next poll.
 *
 * @param <E> type of the elements, {@code null} is not permitted
 */
public class LinkedTransitQueue<E> {
    private static final VarHandle HEAD;
    private static final VarHandle TAIL;
    private static final VarHandle NEXT;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            HEAD = lookup.findVarHandle(LinkedTransitQueue.class, "head", Node.class);
            TAIL = lookup.findVarHandle(LinkedTransitQueue.class, "tail", Node.class);
            NEXT = lookup.findVarHandle(Node.class, "next", Node.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private static final class Node<E> {
        final E item;
        volatile Node<E> next;

        Node(E item) {
            this.item = item;
        }
    }

    private volatile Node<E> head;
    private volatile Node<E> tail;

    public LinkedTransitQueue() {
        Node<E> dummy = new Node<>(null);
        head = dummy;
        tail = dummy;
    }

    /** Appends the element; always returns {@code true}. */
    public boolean offer(E e) {
        Node<E> node = new Node<>(Objects.requireNonNull(e));
        for (;;) {
            Node<E> last = tail;
            Node<E> next = last.next;
            if (next != null) {
                TAIL.compareAndSet(this, last, next);
            } else if (NEXT.compareAndSet(last, null, node)) {
                TAIL.compareAndSet(this, last, node);
                return true;
            }
        }
    }

    /** Removes the oldest element, or returns {@code null} if the queue is empty. */
    public E poll() {
        for (;;) {
            Node<E> first = head;
            Node<E> last = tail;
            Node<E> next = first.next;
            if (first != head) {
                continue;
            }
            if (next == null) {
                return null;
            }
            if (first == last) {
                TAIL.compareAndSet(this, last, next);
            } else if (HEAD.compareAndSet(this, first, next)) {
                return next.item;
            }
        }
    }

    /** Returns the oldest element without removing it, or {@code null} if the queue is empty. */
    public E peek() {
        Node<E> next = head.next;
        return next == null ? null : next.item;
    }

    /** Returns whether the queue holds no element. */
    public boolean isEmpty() {
        return head.next == null;
    }

    /** Returns an estimate of the number of elements. */
    public int estimateSize() {
        int n = 0;
        for (Node<E> node = head.next; node != null && n < Integer.MAX_VALUE; node = node.next) {
            n++;
        }
        return n;
    }
}
