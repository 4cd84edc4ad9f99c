package lib.set;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicMarkableReference;

/**
 * A lock-free sorted set on a singly linked list whose links carry a mark for logically deleted
 * nodes.
 *
 * <p>{@link #add}, {@link #remove} and {@link #contains} are linearizable and may be called from any
 * number of threads. {@link #toList} is weakly consistent: it holds all elements present during the
 * whole call and may or may not reflect concurrent changes.
 *
 * @param <E> type of the elements, {@code null} is not permitted
 */
public final class LockFreeSortedSet<E extends Comparable<? super E>> {

    private static final class Node<E> {
        final E value;
        final AtomicMarkableReference<Node<E>> next;

        Node(E value, Node<E> next) {
            this.value = value;
            this.next = new AtomicMarkableReference<>(next, false);
        }
    }

    private record Window<E>(Node<E> pred, Node<E> curr) {
    }

    private final Node<E> head = new Node<>(null, null);

    /** Adds the element; returns {@code false} if an equal element is already present. */
    public boolean add(E e) {
        Objects.requireNonNull(e);
        for (;;) {
            Window<E> w = find(e);
            if (matches(w.curr(), e)) {
                return false;
            }
            Node<E> node = new Node<>(e, w.curr());
            if (w.pred().next.compareAndSet(w.curr(), node, false, false)) {
                return true;
            }
        }
    }

    /** Removes the element; returns {@code false} if it is not present. */
    public boolean remove(E e) {
        Objects.requireNonNull(e);
        for (;;) {
            Window<E> w = find(e);
            Node<E> curr = w.curr();
            if (!matches(curr, e)) {
                return false;
            }
            Node<E> succ = curr.next.getReference();
            if (!w.pred().next.compareAndSet(curr, succ, false, false)) {
                continue;
            }
            while (!curr.next.attemptMark(succ, true)) {
                succ = curr.next.getReference();
            }
            return true;
        }
    }

    /** Returns whether an equal element is present. */
    public boolean contains(E e) {
        Objects.requireNonNull(e);
        Node<E> curr = head.next.getReference();
        while (curr != null && curr.value.compareTo(e) < 0) {
            curr = curr.next.getReference();
        }
        return matches(curr, e) && !curr.next.isMarked();
    }

    /** Returns the elements in ascending order. */
    public List<E> toList() {
        List<E> out = new ArrayList<>();
        for (Node<E> n = head.next.getReference(); n != null; n = n.next.getReference()) {
            if (!n.next.isMarked()) {
                out.add(n.value);
            }
        }
        return out;
    }

    private boolean matches(Node<E> node, E e) {
        return node != null && node.value.compareTo(e) == 0;
    }

    /** Finds the position of the element, taking marked nodes on the way out of the list. */
    private Window<E> find(E e) {
        boolean[] marked = new boolean[1];
        retry:
        for (;;) {
            Node<E> pred = head;
            Node<E> curr = pred.next.getReference();
            while (curr != null) {
                Node<E> succ = curr.next.get(marked);
                if (marked[0]) {
                    if (!pred.next.compareAndSet(curr, succ, false, false)) {
                        continue retry;
                    }
                    curr = succ;
                    continue;
                }
                if (curr.value.compareTo(e) >= 0) {
                    break;
                }
                pred = curr;
                curr = succ;
            }
            return new Window<>(pred, curr);
        }
    }
}
