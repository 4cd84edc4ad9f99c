package net.harborline.schedule;

import java.util.concurrent.locks.ReentrantLock;

/**
 * Set of reserved time slots, kept in ascending order.
 *
 * <p>The slots form a linked list whose nodes are locked one after the other while it is being
 * walked, so that reservations in different parts of the timeline go on at the same time. May be
 * shared between threads.
 */
public class SlotTimeline {

    private static final class Node {
        final long slot;
        final ReentrantLock lock = new ReentrantLock();
        Node next;

        Node(long slot, Node next) {
            this.slot = slot;
            this.next = next;
        }
    }

    private final Node head = new Node(Long.MIN_VALUE, new Node(Long.MAX_VALUE, null));

    /**
     * Reserves a slot.
     *
     * @return {@code false} if it is taken
     */
    public boolean reserve(long slot) {
        Node before = walkTo(slot);
        Node at = before.next;
        try {
            if (at.slot == slot) {
                return false;
            }
            before.next = new Node(slot, at);
            return true;
        } finally {
            at.lock.unlock();
            before.lock.unlock();
        }
    }

    /**
     * Gives a slot free.
     *
     * @return {@code false} if it was not reserved
     */
    public boolean cancel(long slot) {
        Node before = walkTo(slot);
        Node at = before.next;
        try {
            if (at.slot != slot) {
                return false;
            }
            before.next = at.next;
            return true;
        } finally {
            at.lock.unlock();
            before.lock.unlock();
        }
    }

    /** Tells whether a slot is reserved. */
    public boolean isReserved(long slot) {
        Node before = walkTo(slot);
        Node at = before.next;
        try {
            return at.slot == slot;
        } finally {
            at.lock.unlock();
            before.lock.unlock();
        }
    }

    /**
     * Walks to the place of a slot and returns the last node before it. That node and its
     * successor are locked.
     */
    private Node walkTo(long slot) {
        if (slot == Long.MIN_VALUE || slot == Long.MAX_VALUE) {
            throw new IllegalArgumentException("slot: " + slot);
        }
        Node before = head;
        before.lock.lock();
        Node at = before.next;
        at.lock.lock();
        while (at.slot < slot) {
            before.lock.unlock();
            before = at;
            at = at.next;
            at.lock.lock();
        }
        return before;
    }
}
