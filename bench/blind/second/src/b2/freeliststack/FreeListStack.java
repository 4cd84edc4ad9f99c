package b2.freeliststack;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A lock-free last-in first-out stack that recycles its nodes, so that it produces no garbage in a
 * steady state.
 *
 * <p>Thread-safe; all operations are linearizable.
 */
public class FreeListStack<E> {
    private static final class Node<E> {
        volatile E item;
        volatile Node<E> next;
    }

    private final AtomicReference<Node<E>> top = new AtomicReference<>();
    private final Queue<Node<E>> free = new ConcurrentLinkedQueue<>();

    /** Pushes an item. */
    public void push(E item) {
        if (item == null) {
            throw new NullPointerException("item");
        }
        Node<E> node = free.poll();
        if (node == null) {
            node = new Node<>();
        }
        node.item = item;
        Node<E> head;
        do {
            head = top.get();
            node.next = head;
        } while (!top.compareAndSet(head, node));
    }

    /** Pops the item that was pushed last, or returns null if the stack is empty. */
    public E pop() {
        while (true) {
            Node<E> head = top.get();
            if (head == null) {
                return null;
            }
            Node<E> next = head.next;
            if (top.compareAndSet(head, next)) {
                E item = head.item;
                head.item = null;
                head.next = null;
                free.add(head);
                return item;
            }
        }
    }

    /** Tells whether the stack is empty. */
    public boolean isEmpty() {
        return top.get() == null;
    }
}
