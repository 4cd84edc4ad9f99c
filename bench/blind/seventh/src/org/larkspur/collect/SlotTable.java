package org.larkspur.collect;

import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * A table with a fixed number of slots, each of which is empty or holds an element.
 *
 * <p>Thread-safe and non-blocking. Iterators are weakly consistent: they reflect some but not
 * necessarily all modifications made after their creation, never throw {@link
 * java.util.ConcurrentModificationException}, and may be used while other threads modify the
 * table. An iterator itself must be used by one thread only.
 *
 * @param <E> the element type
 */
public final class SlotTable<E> implements Iterable<E> {

    private final AtomicReferenceArray<E> slots;

    /**
     * Creates a table of empty slots.
     *
     * @param slotCount the number of slots
     */
    public SlotTable(int slotCount) {
        this.slots = new AtomicReferenceArray<>(slotCount);
    }

    /**
     * Puts an element into the first empty slot.
     *
     * @param element the element, not null
     * @return the index of the slot, -1 if no empty one was found
     */
    public int add(E element) {
        Objects.requireNonNull(element, "element");
        for (int i = 0; i < slots.length(); i++) {
            if (slots.get(i) == null && slots.compareAndSet(i, null, element)) {
                return i;
            }
        }
        return -1;
    }

    /**
     * Empties a slot.
     *
     * @param index the index of the slot
     * @return the element which was in the slot or null
     */
    public E removeAt(int index) {
        return slots.getAndSet(index, null);
    }

    /**
     * Returns the element in a slot.
     *
     * @param index the index of the slot
     * @return the element or null
     */
    public E get(int index) {
        return slots.get(index);
    }

    /** Returns the number of slots. */
    public int slotCount() {
        return slots.length();
    }

    @Override
    public Iterator<E> iterator() {
        return new SlotIterator();
    }

    private final class SlotIterator implements Iterator<E> {

        private int cursor;

        @Override
        public boolean hasNext() {
            while (cursor < slots.length()) {
                if (slots.get(cursor) != null) {
                    return true;
                }
                cursor++;
            }
            return false;
        }

        @Override
        public E next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            return slots.get(cursor++);
        }

        @Override
        public void remove() {
            if (cursor == 0) {
                throw new IllegalStateException();
            }
            slots.set(cursor - 1, null);
        }
    }
}
