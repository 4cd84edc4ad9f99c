package org.larkspur.collect;

import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A sorted set of numbers, implemented as a linked list with one lock per node.
 */
public class CoupledLongSet {

    private static final class Node extends ReentrantLock {
        private static final long serialVersionUID = 1L;

        final long value;
        transient Node next;

        Node(long value, Node next) {
            this.value = value;
            this.next = next;
        }
    }

    /** Precedes the first node, its value is not used. */
    private final Node head = new Node(0, null);

    /** Creates an empty set. */
    public CoupledLongSet() {
    }

    /**
     * Adds a number.
     *
     * @param value the number
     * @return true if it was not in the set before
     */
    public boolean add(long value) {
        Node previous = lockPredecessor(value);
        Node node = previous.next;
        try {
            if (node != null && node.value == value) {
                return false;
            }
            previous.next = new Node(value, node);
            return true;
        } finally {
            previous.unlock();
        }
    }

    /**
     * Removes a number.
     *
     * @param value the number
     * @return true if it was in the set before
     */
    public boolean remove(long value) {
        Node previous = lockPredecessor(value);
        try {
            Node node = previous.next;
            if (node == null || node.value != value) {
                return false;
            }
            node.lock();
            try {
                previous.next = node.next;
            } finally {
                node.unlock();
            }
            return true;
        } finally {
            previous.unlock();
        }
    }

    /**
     * Returns whether a number is in the set.
     *
     * @param value the number
     */
    public boolean contains(long value) {
        Node previous = lockPredecessor(value);
        try {
            return previous.next != null && previous.next.value == value;
        } finally {
            previous.unlock();
        }
    }

    /** Returns the numbers in ascending order. */
    public long[] toArray() {
        long[] values = new long[8];
        int count = 0;
        Node node = head;
        node.lock();
        while (node.next != null) {
            Node next = node.next;
            next.lock();
            node.unlock();
            node = next;
            if (count == values.length) {
                values = Arrays.copyOf(values, count * 2);
            }
            values[count++] = node.value;
        }
        node.unlock();
        return Arrays.copyOf(values, count);
    }

    /** Returns the last node less than the value, locked. */
    private Node lockPredecessor(long value) {
        Node previous = head;
        previous.lock();
        Node node = previous.next;
        while (node != null && node.value < value) {
            node.lock();
            previous.unlock();
            previous = node;
            node = node.next;
        }
        return previous;
    }
}
