package com.acme.sets;

import java.util.concurrent.locks.ReentrantLock;

/**
 * A sorted set of integers as a linked list with a lock per node, after Heller
 * et al., "A Lazy Concurrent List-Based Set Algorithm". {@link #contains} is
 * wait-free; adding and removing lock two neighbouring nodes only. All methods
 * are atomic.
 */
public class LazyListSet {

    private static final class Node {
        final long key;
        final ReentrantLock lock = new ReentrantLock();
        volatile Node next;
        volatile boolean removed;

        Node(long key, Node next) {
            this.key = key;
            this.next = next;
        }
    }

    /** Sentinels have keys outside of the range of int. */
    private final Node head = new Node(Long.MIN_VALUE, new Node(Long.MAX_VALUE, null));

    private static boolean valid(Node before, Node at) {
        return !before.removed && !at.removed && before.next == at;
    }

    /** Adds a number; false if it is in the set. */
    public boolean add(int number) {
        for (;;) {
            Node before = head;
            Node at = before.next;
            while (at.key < number) {
                before = at;
                at = at.next;
            }
            before.lock.lock();
            try {
                at.lock.lock();
                try {
                    if (valid(before, at)) {
                        if (at.key == number) {
                            return false;
                        }
                        before.next = new Node(number, at);
                        return true;
                    }
                } finally {
                    at.lock.unlock();
                }
            } finally {
                before.lock.unlock();
            }
        }
    }

    /** Removes a number; false if it is not in the set. */
    public boolean remove(int number) {
        for (;;) {
            Node before = head;
            Node at = before.next;
            while (at.key < number) {
                before = at;
                at = at.next;
            }
            before.lock.lock();
            try {
                at.lock.lock();
                try {
                    if (valid(before, at)) {
                        if (at.key != number) {
                            return false;
                        }
                        at.removed = true;
                        before.next = at.next;
                        return true;
                    }
                } finally {
                    at.lock.unlock();
                }
            } finally {
                before.lock.unlock();
            }
        }
    }

    public boolean contains(int number) {
        Node at = head;
        while (at.key < number) {
            at = at.next;
        }
        return at.key == number && !at.removed;
    }
}
