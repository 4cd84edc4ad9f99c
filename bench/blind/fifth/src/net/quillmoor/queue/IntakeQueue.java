package net.quillmoor.queue;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * An unbounded first-in-first-out queue for many producers and many consumers that never blocks.
 *
 * <p>Thread-safe. Adding and polling are atomic. {@link #drainTo} is a loop over {@link #poll()} and
 * not atomic as a whole.
 *
 * @param <T> the element type
 */
public final class IntakeQueue<T> {

    private static final class Node<T> {
        T item;
        final AtomicReference<Node<T>> next = new AtomicReference<>();

        Node(T item) {
            this.item = item;
        }
    }

    /** The node before the first element. */
    private final AtomicReference<Node<T>> head;
    /** The last node or one that is about to be followed by it. */
    private final AtomicReference<Node<T>> tail;

    /** Creates an empty queue. */
    public IntakeQueue() {
        Node<T> dummy = new Node<>(null);
        head = new AtomicReference<>(dummy);
        tail = new AtomicReference<>(dummy);
    }

    /** Appends an element. */
    public void add(T item) {
        Node<T> node = new Node<>(Objects.requireNonNull(item, "item"));
        for (;;) {
            Node<T> last = tail.get();
            Node<T> after = last.next.get();
            if (after != null) {
                tail.compareAndSet(last, after);
            } else if (last.next.compareAndSet(null, node)) {
                tail.compareAndSet(last, node);
                return;
            }
        }
    }

    /** Removes and returns the first element, or returns null if there is none. */
    public T poll() {
        for (;;) {
            Node<T> before = head.get();
            Node<T> last = tail.get();
            Node<T> first = before.next.get();
            if (before != head.get()) {
                continue;
            }
            if (first == null) {
                return null;
            }
            if (before == last) {
                tail.compareAndSet(last, first);
                continue;
            }
            T item = first.item;
            if (head.compareAndSet(before, first)) {
                // the node stays behind as the new dummy; do not hold on to the element
                first.item = null;
                return item;
            }
        }
    }

    /** Tells whether the queue has no elements. */
    public boolean isEmpty() {
        for (;;) {
            Node<T> before = head.get();
            boolean none = before.next.get() == null;
            if (before == head.get()) {
                return none;
            }
        }
    }

    /**
     * Polls elements and passes them on until none is left or the maximum is reached. Elements added
     * during the call may be included.
     *
     * @return the number of elements passed on
     */
    public int drainTo(Consumer<? super T> sink, int maximum) {
        int count = 0;
        while (count < maximum) {
            T item = poll();
            if (item == null) {
                break;
            }
            sink.accept(item);
            count++;
        }
        return count;
    }
}
