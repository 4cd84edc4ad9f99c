package org.larkspur.queue;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * An unbounded multi-producer single-consumer queue.
 *
 * <p>{@link #offer} may be called by any thread and is wait-free. {@link #poll}, {@link
 * #relaxedPoll} and {@link #drain} must be called by one thread at a time only, the consumer.
 * {@link #isEmpty} may be called by any thread.
 *
 * @param <E> the element type
 */
public final class MpscLinkedQueue<E> {

    private static final class Node<E> extends AtomicReference<Node<E>> {
        private static final long serialVersionUID = 1L;

        private transient E value;

        Node(E value) {
            this.value = value;
        }

        E takeValue() {
            E result = value;
            value = null;
            return result;
        }
    }

    private final AtomicReference<Node<E>> producerNode;
    private volatile Node<E> consumerNode;

    /** Creates an empty queue. */
    public MpscLinkedQueue() {
        Node<E> stub = new Node<>(null);
        producerNode = new AtomicReference<>(stub);
        consumerNode = stub;
    }

    /**
     * Appends an element.
     *
     * @param value the element, not null
     */
    public void offer(E value) {
        Node<E> node = new Node<>(Objects.requireNonNull(value, "value"));
        Node<E> previous = producerNode.getAndSet(node);
        previous.lazySet(node);
    }

    /**
     * Removes the oldest element.
     *
     * @return the element or null if the queue is empty
     */
    public E poll() {
        Node<E> current = consumerNode;
        Node<E> next = current.get();
        if (next == null) {
            if (current == producerNode.get()) {
                return null;
            }
            while ((next = current.get()) == null) {
                Thread.onSpinWait();
            }
        }
        consumerNode = next;
        return next.takeValue();
    }

    /**
     * Removes the oldest element without waiting for a producer that is about to append it.
     *
     * @return the element or null if the queue is empty or an {@link #offer} is in progress
     */
    public E relaxedPoll() {
        Node<E> next = consumerNode.get();
        if (next == null) {
            return null;
        }
        consumerNode = next;
        return next.takeValue();
    }

    /**
     * Removes elements as {@link #relaxedPoll} does and passes them to an action.
     *
     * @param action receives the elements
     * @param limit the maximum number of elements
     * @return the number of elements
     */
    public int drain(Consumer<? super E> action, int limit) {
        int count = 0;
        while (count < limit) {
            E value = relaxedPoll();
            if (value == null) {
                break;
            }
            count++;
            action.accept(value);
        }
        return count;
    }

    /** Returns whether the queue is empty. */
    public boolean isEmpty() {
        Node<E> consumed = consumerNode;
        return consumed == producerNode.get();
    }
}
