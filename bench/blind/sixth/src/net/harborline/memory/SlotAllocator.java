package net.harborline.memory;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * Hands out the slots of a fixed off-heap arena.
 *
 * <p>The free slots form a linked list threaded through an array, so that neither
 * {@link #acquire()} nor {@link #release(int)} allocates or blocks. A slot belongs to its holder
 * from the moment it is acquired until it is released, and a holder releases it exactly once. Any
 * number of threads may use an allocator.
 */
public class SlotAllocator {

    /** Returned when there is no free slot. */
    public static final int NONE = -1;

    private final AtomicInteger head;
    private final AtomicIntegerArray next;

    /**
     * Creates an allocator for slots 0 to {@code slots - 1}, all of them free.
     */
    public SlotAllocator(int slots) {
        if (slots < 1) {
            throw new IllegalArgumentException("slots: " + slots);
        }
        this.next = new AtomicIntegerArray(slots);
        for (int i = 0; i < slots; i++) {
            next.set(i, i + 1 < slots ? i + 1 : NONE);
        }
        this.head = new AtomicInteger(0);
    }

    /**
     * Takes a free slot.
     *
     * @return its number, or {@link #NONE} if all slots are in use
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
     * @param slot a slot acquired before
     */
    public void release(int slot) {
        if (slot < 0 || slot >= next.length()) {
            throw new IndexOutOfBoundsException(slot);
        }
        int first;
        do {
            first = head.get();
            next.set(slot, first);
        } while (!head.compareAndSet(first, slot));
    }

    /** Returns the number of slots of the arena, free or not. */
    public int capacity() {
        return next.length();
    }
}
