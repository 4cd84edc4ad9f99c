package com.acme.stack;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Treiber's lock-free stack. Nodes are immutable and never used again, so a
 * head read once is a consistent snapshot of the whole stack.
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

    private final AtomicReference<Node<E>> head = new AtomicReference<>();

    public void push(E item) {
        Objects.requireNonNull(item);
        Node<E> h;
        do {
            h = head.get();
        } while (!head.compareAndSet(h, new Node<>(item, h)));
    }

    /** Removes the top element, null if the stack is empty. */
    public E pop() {
        for (;;) {
            Node<E> h = head.get();
            if (h == null) {
                return null;
            }
            if (head.compareAndSet(h, h.next)) {
                return h.item;
            }
        }
    }

    /** The top element, null if the stack is empty. */
    public E peek() {
        Node<E> h = head.get();
        return h == null ? null : h.item;
    }

    /** Takes all elements out at once, the top one first. */
    public List<E> popAll() {
        return list(head.getAndSet(null));
    }

    /** All elements at one moment, the top one first. */
    public List<E> toList() {
        return list(head.get());
    }

    private static <E> List<E> list(Node<E> from) {
        List<E> l = new ArrayList<>();
        for (Node<E> n = from; n != null; n = n.next) {
            l.add(n.item);
        }
        return l;
    }

    public int size() {
        Node<E> h = head.get();
        return h == null ? 0 : h.depth;
    }
}
