package net.quillmoor.booking;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Books the numbered slots of a delivery day.
 *
 * <p>Thread-safe. Methods on a single slot are atomic. Methods on several slots are not: they work
 * slot by slot, and other callers may book and release slots in between.
 */
public final class SlotBook {

    private final int slotCount;
    private final Map<Integer, String> holders = new ConcurrentHashMap<>();

    /**
     * Creates a book with all slots free.
     *
     * @param slotCount the number of slots; they are numbered from zero
     */
    public SlotBook(int slotCount) {
        if (slotCount < 1) {
            throw new IllegalArgumentException("slotCount: " + slotCount);
        }
        this.slotCount = slotCount;
    }

    /** Books a slot; returns false if it is held by anyone, including the same customer. */
    public boolean book(int slot, String customer) {
        Objects.checkIndex(slot, slotCount);
        return holders.putIfAbsent(slot, Objects.requireNonNull(customer, "customer")) == null;
    }

    /** Releases a slot; returns false if the customer does not hold it. */
    public boolean release(int slot, String customer) {
        return holders.remove(Objects.checkIndex(slot, slotCount), customer);
    }

    /** Hands a slot from one customer to another; returns false if the first does not hold it. */
    public boolean handOver(int slot, String from, String to) {
        Objects.checkIndex(slot, slotCount);
        if (holders.get(slot) == null) {
            return false;
        }
        return holders.replace(slot, from, Objects.requireNonNull(to, "to"));
    }

    /** Returns who holds a slot. */
    public Optional<String> holder(int slot) {
        return Optional.ofNullable(holders.get(Objects.checkIndex(slot, slotCount)));
    }

    /**
     * Tries the slots in ascending order and books the first one that is free when tried. A slot
     * released during the call may be passed over.
     */
    public OptionalInt bookFirst(String customer) {
        for (int slot = 0; slot < slotCount; slot++) {
            if (!holders.containsKey(slot) && book(slot, customer)) {
                return OptionalInt.of(slot);
            }
        }
        return OptionalInt.empty();
    }

    /**
     * Books as many of the given slots as it can get. Not atomic: two callers asking for the same
     * slots may each get some of them.
     *
     * @return the slots booked
     */
    public List<Integer> bookEach(Collection<Integer> slots, String customer) {
        List<Integer> got = new ArrayList<>();
        for (int slot : slots) {
            if (book(slot, customer)) {
                got.add(slot);
            }
        }
        return got;
    }

    /** Counts the slots held by a customer, one after another; an estimate while slots change hands. */
    public int countOf(String customer) {
        int count = 0;
        for (String holder : holders.values()) {
            if (holder.equals(customer)) {
                count++;
            }
        }
        return count;
    }
}
