package lib.stack;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * An unbounded lock-free LIFO stack for high contention: a push and a pop that both lose the race
 * for the top may meet in a side array and hand the element over directly.
 *
 * <p>Thread-safe; {@link #push}, {@link #pop} and {@link #isEmpty} are linearizable. An element on
 * offer in the side array is not part of the stack: its push has not returned yet.
 *
 * @param <E> type of the elements, {@code null} is not permitted
 */
public final class MeetingStack<E> {
    private static final int SLOTS = 4;
    private static final int SPINS = 32;

    private static final class Node<E> {
        final E value;
        Node<E> next;

        Node(E value) {
            this.value = value;
        }
    }

    private final AtomicReference<Node<E>> top = new AtomicReference<>();
    private final AtomicReferenceArray<Node<E>> slots = new AtomicReferenceArray<>(SLOTS);

    /** Puts the element on top of the stack. */
    public void push(E e) {
        Objects.requireNonNull(e);
        Node<E> node = new Node<>(e);
        for (;;) {
            Node<E> t = top.get();
            node.next = t;
            if (top.compareAndSet(t, node)) {
                return;
            }
            if (handOver(e)) {
                return;
            }
        }
    }

    /** Removes and returns the top of the stack, or {@code null} if the stack is empty. */
    public E pop() {
        for (;;) {
            Node<E> t = top.get();
            if (t == null) {
                return null;
            }
            if (top.compareAndSet(t, t.next)) {
                return t.value;
            }
            Node<E> offered = accept();
            if (offered != null) {
                return offered.value;
            }
        }
    }

    /** Returns whether the stack holds no element. */
    public boolean isEmpty() {
        return top.get() == null;
    }

    /** Offers the element in a slot for a short while; returns whether a pop has taken it. */
    private boolean handOver(E e) {
        int slot = (int) (Thread.currentThread().getId() & (SLOTS - 1));
        Node<E> offer = new Node<>(e);
        if (!slots.compareAndSet(slot, null, offer)) {
            return false;
        }
        for (int i = 0; i < SPINS; i++) {
            if (slots.get(slot) != offer) {
                return true;
            }
            Thread.onSpinWait();
        }
        return !slots.compareAndSet(slot, offer, null);
    }

    /** Takes an offer out of any slot, or returns {@code null} if none could be taken. */
    private Node<E> accept() {
        for (int i = 0; i < SLOTS; i++) {
            Node<E> offer = slots.get(i);
            if (offer != null && slots.compareAndSet(i, offer, null)) {
                return offer;
            }
        }
        return null;
    }
}
