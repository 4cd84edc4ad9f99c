package lib.list;

import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A sorted linked list without duplicates in which every node has its own lock, so that threads can
 * work on different parts at the same time. Threads walk with lock coupling: the lock of a node is
 * given up only after that of its successor has been taken.
 *
 * <p>Thread-safe; {@link #add}, {@link #remove}, {@link #contains} and {@link #first} are atomic.
 * {@link #size} counts while walking and may miss changes behind its position.
 *
 * @param <E> type of the elements, {@code null} is not permitted
 */
public class CoupledSortedList<E extends Comparable<? super E>> {

    private static final class Node<E> {
        final E value;
        final ReentrantLock lock = new ReentrantLock();
        Node<E> next;

        Node(E value, Node<E> next) {
            this.value = value;
            this.next = next;
        }
    }

    private final Node<E> head = new Node<>(null, null);

    /** Adds the element; returns {@code false} if an equal one is present. */
    public boolean add(E e) {
        Node<E> pred = lockPredecessor(e);
        try {
            if (follows(pred, e)) {
                return false;
            }
            pred.next = new Node<>(e, pred.next);
            return true;
        } finally {
            pred.lock.unlock();
        }
    }

    /** Removes the element; returns {@code false} if there is none. */
    public boolean remove(E e) {
        Node<E> pred = lockPredecessor(e);
        try {
            if (!follows(pred, e)) {
                return false;
            }
            Node<E> victim = pred.next;
            victim.lock.lock();
            try {
                pred.next = victim.next;
            } finally {
                victim.lock.unlock();
            }
            return true;
        } finally {
            pred.lock.unlock();
        }
    }

    /** Returns whether an equal element is present. */
    public boolean contains(E e) {
        Node<E> pred = lockPredecessor(e);
        try {
            return follows(pred, e);
        } finally {
            pred.lock.unlock();
        }
    }

    /** Returns the least element, or {@code null} if the list is empty. */
    public E first() {
        head.lock.lock();
        try {
            return head.next == null ? null : head.next.value;
        } finally {
            head.lock.unlock();
        }
    }

    /** Returns the number of elements met on one walk through the list. */
    public int size() {
        int n = 0;
        Node<E> node = head;
        node.lock.lock();
        while (node.next != null) {
            node = advance(node);
            n++;
        }
        node.lock.unlock();
        return n;
    }

    /** Returns, locked, the last node whose value is less than the element. */
    private Node<E> lockPredecessor(E e) {
        Objects.requireNonNull(e);
        Node<E> pred = head;
        pred.lock.lock();
        try {
            while (pred.next != null && pred.next.value.compareTo(e) < 0) {
                pred = advance(pred);
            }
        } catch (RuntimeException ex) {
            pred.lock.unlock();
            throw ex;
        }
        return pred;
    }

    private static <E> Node<E> advance(Node<E> locked) {
        Node<E> next = locked.next;
        next.lock.lock();
        locked.lock.unlock();
        return next;
    }

    private boolean follows(Node<E> pred, E e) {
        return pred.next != null && pred.next.value.compareTo(e) == 0;
    }
}
