package com.acme.stack;

import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A lock-free stack for low-garbage code paths: nodes of removed elements are
 * kept and used again. Any number of threads may push and pop.
 */
public class PooledStack<E> {

    private static final class Node<E> {
        volatile E item;
        volatile Node<E> next;
    }

    private final AtomicReference<Node<E>> head = new AtomicReference<>();
    private final Queue<Node<E>> spare = new ConcurrentLinkedQueue<>();

    public void push(E item) {
        Objects.requireNonNull(item);
        Node<E> n = spare.poll();
        if (n == null) {
            n = new Node<>();
        }
        n.item = item;
        Node<E> h;
        do {
            h = head.get();
            n.next = h;
        } while (!head.compareAndSet(h, n));
    }

    /** Removes the top element, null if the stack is empty. */
    public E pop() {
        for (;;) {
            Node<E> h = head.get();
            if (h == null) {
                return null;
            }
            Node<E> next = h.next;
            if (head.compareAndSet(h, next)) {
                E item = h.item;
                spare.add(h);
                return item;
            }
        }
    }

    public boolean isEmpty() {
        return head.get() == null;
    }
}
