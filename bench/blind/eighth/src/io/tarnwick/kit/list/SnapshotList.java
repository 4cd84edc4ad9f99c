package io.tarnwick.kit.list;

import java.util.Arrays;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Objects;

/**
 * A list for much reading and little writing. Iterators show the list as it was when
 * they were made, never fail, and cannot remove.
 *
 * <p>Thread-safe.
 *
 * @param <E> elements, not null
 */
public class SnapshotList<E> implements Iterable<E> {

    private static final Object[] NONE = {};

    private static final class Walk<E> implements Iterator<E> {
        private final Object[] elements;
        private int cursor;

        Walk(Object[] elements) {
            this.elements = elements;
        }

        @Override
        public boolean hasNext() {
            return cursor < elements.length;
        }

        @Override
        @SuppressWarnings("unchecked")
        public E next() {
            if (cursor >= elements.length) {
                throw new NoSuchElementException();
            }
            return (E) elements[cursor++];
        }
    }

    private volatile Object[] elements = NONE;

    /** Appends an element. */
    public synchronized void add(E element) {
        Objects.requireNonNull(element, "element");
        int length = elements.length;
        Object[] copy = Arrays.copyOf(elements, length + 1);
        copy[length] = element;
        elements = copy;
    }

    /** Appends an element unless the list contains it. */
    public boolean addIfAbsent(E element) {
        if (contains(element)) {
            return false;
        }
        synchronized (this) {
            if (contains(element)) {
                return false;
            }
            add(element);
            return true;
        }
    }

    /** Removes the first occurrence of an element. */
    public synchronized boolean remove(Object element) {
        int at = indexOf(elements, element);
        if (at < 0) {
            return false;
        }
        Object[] copy = new Object[elements.length - 1];
        System.arraycopy(elements, 0, copy, 0, at);
        System.arraycopy(elements, at + 1, copy, at, copy.length - at);
        elements = copy;
        return true;
    }

    /** Removes everything. */
    public synchronized void clear() {
        elements = NONE;
    }

    /** Whether the list contains an element. */
    public boolean contains(Object element) {
        return indexOf(elements, element) >= 0;
    }

    /** The last element, or null if the list is empty. */
    @SuppressWarnings("unchecked")
    public E last() {
        Object[] current = elements;
        return current.length == 0 ? null : (E) current[current.length - 1];
    }

    /** The number of elements. */
    public int size() {
        return elements.length;
    }

    /**
     * {@inheritDoc}
     *
     * <p>The iterator itself is meant for one thread.
     */
    @Override
    public Iterator<E> iterator() {
        return new Walk<>(elements);
    }

    private static int indexOf(Object[] array, Object element) {
        for (int i = 0; i < array.length; i++) {
            if (array[i].equals(element)) {
                return i;
            }
        }
        return -1;
    }
}
