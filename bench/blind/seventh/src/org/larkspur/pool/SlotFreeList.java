package org.larkspur.pool;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * Hands out the numbers {@code 0} to {@code capacity - 1}, for instance as indexes into an off-heap
 * area. A number is handed out to one owner at a time.
 *
 * <p>Lock-free and garbage-free; all methods may be called concurrently by any number of threads.
 * Only the owner of a slot may release it.
 */
public final class SlotFreeList {

    /** Returned by {@link #acquire} when there is no free slot. */
    public static final int NONE = -1;

    private final AtomicInteger head;
    private final AtomicIntegerArray next;

    /**
     * Creates a list of free slots.
     *
     * @param capacity the number of slots
     */
    public SlotFreeList(int capacity) {
        if (capacity <= 0) {
            throw new IllegalArgumentException("capacity: " + capacity);
        }
        next = new AtomicIntegerArray(capacity);
        for (int i = 0; i < capacity; i++) {
            next.set(i, i + 1 < capacity ? i + 1 : NONE);
        }
        head = new AtomicInteger(0);
    }

    /**
     * Takes a free slot.
     *
     * @return the number of the slot, now owned by the caller, or {@link #NONE}
     */
    public int acquire() {
        for (;;) {
            int first = head.get();
            if (first == NONE) {
                return NONE;
            }
            int second = next.get(first);
            if (head.compareAndSet(first, second)) {
                return first;
            }
        }
    }

    /**
     * Gives a slot back.
     *
     * @param slot the number of a slot owned by the caller
     */
    public void release(int slot) {
        if (slot < 0 || slot >= next.length()) {
            throw new IndexOutOfBoundsException("slot: " + slot);
        }
        for (;;) {
            int first = head.get();
            next.set(slot, first);
            if (head.compareAndSet(first, slot)) {
                return;
            }
        }
    }

    /** Returns the total number of slots. */
    public int capacity() {
        return next.length();
    }

    /** Returns whether no slot is free at the moment. */
    public boolean isExhausted() {
        return head.get() == NONE;
    }
}
