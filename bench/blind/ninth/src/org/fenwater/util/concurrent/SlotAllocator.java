package org.fenwater.util.concurrent;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * Allocates the numbers {@code 0} to {@code capacity - 1} to holders, each number to one holder at
 * a time. Neither operation allocates memory or takes a lock.
 */
public final class SlotAllocator {

    /** Returned by {@link #acquire()} when all slots are in use. */
    public static final int NONE = -1;

    private final AtomicIntegerArray next;
    private final AtomicInteger first;

    public SlotAllocator(int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException("capacity: " + capacity);
        }
        next = new AtomicIntegerArray(capacity);
        for (int i = 0; i < capacity; i++) {
            next.set(i, i + 1 < capacity ? i + 1 : NONE);
        }
        first = new AtomicInteger(0);
    }

    /** Takes a free slot, or returns {@link #NONE}. */
    public int acquire() {
        for (;;) {
            int slot = first.get();
            if (slot == NONE) {
                return NONE;
            }
            int following = next.get(slot);
            if (first.compareAndSet(slot, following)) {
                return slot;
            }
        }
    }

    /** Frees a slot that was acquired before and is no longer used. */
    public void release(int slot) {
        if (slot < 0 || slot >= next.length()) {
            throw new IndexOutOfBoundsException("slot: " + slot);
        }
        int head;
        do {
            head = first.get();
            next.set(slot, head);
        } while (!first.compareAndSet(head, slot));
    }

    public int capacity() {
        return next.length();
    }

    public boolean isExhausted() {
        return first.get() == NONE;
    }
}
