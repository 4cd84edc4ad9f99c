package shop.pool;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.IntFunction;

/**
 * Assigns numbered slots, for example the pages of a shared off-heap buffer. A slot is assigned to one
 * holder at a time. Free slots form a linked list threaded through an array, so that assigning and
 * releasing neither block nor create garbage.
 *
 * <p>Thread-safe and lock-free. A slot that was acquired must be released exactly once.
 */
public final class SlotAllocator {

    private static final int NONE = -1;

    private final AtomicInteger head;
    private final AtomicIntegerArray next;

    /**
     * Creates an allocator with all slots free.
     *
     * @param capacity the number of slots, at least one
     */
    public SlotAllocator(int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException("capacity: " + capacity);
        }
        next = new AtomicIntegerArray(capacity);
        for (int i = 0; i < capacity; i++) {
            next.set(i, i + 1 < capacity ? i + 1 : NONE);
        }
        head = new AtomicInteger(0);
    }

    /**
     * Acquires a free slot.
     *
     * @return the slot's number, or empty if all slots are assigned
     */
    public OptionalInt acquire() {
        while (true) {
            int first = head.get();
            if (first == NONE) {
                return OptionalInt.empty();
            }
            int second = next.get(first);
            if (head.compareAndSet(first, second)) {
                return OptionalInt.of(first);
            }
        }
    }

    /**
     * Releases a slot acquired earlier.
     *
     * @throws IndexOutOfBoundsException if there is no such slot
     */
    public void release(int slot) {
        int first;
        do {
            first = head.get();
            next.set(slot, first);
        } while (!head.compareAndSet(first, slot));
    }

    /**
     * Runs an action with a slot that is released afterwards.
     *
     * @return the action's result, or empty if no slot was free or the result was null
     */
    public <R> Optional<R> withSlot(IntFunction<? extends R> action) {
        OptionalInt slot = acquire();
        if (slot.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.ofNullable(action.apply(slot.getAsInt()));
        } finally {
            release(slot.getAsInt());
        }
    }

    /** Returns the number of slots. */
    public int capacity() {
        return next.length();
    }

    /** Tells whether a slot is free at the moment. */
    public boolean hasFree() {
        return head.get() != NONE;
    }
}
