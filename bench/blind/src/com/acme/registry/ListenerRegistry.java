package com.acme.registry;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;

/**
 * Copy-on-write registry: reading is lock free and sees an immutable snapshot,
 * changes replace the array. Meant for many reads and few changes, from any
 * threads.
 *
 * @param <L> type of the listeners, compared with equals
 */
public class ListenerRegistry<L> {

    private static final Object[] NONE = {};

    private volatile Object[] listeners = NONE;

    /** Adds a listener at the end unless an equal one is registered. */
    public synchronized boolean add(L listener) {
        Objects.requireNonNull(listener);
        Object[] old = listeners;
        if (indexOf(old, listener) >= 0) {
            return false;
        }
        Object[] copy = Arrays.copyOf(old, old.length + 1);
        copy[old.length] = listener;
        listeners = copy;
        return true;
    }

    /** Removes a listener; false if it was not registered. */
    public boolean remove(L listener) {
        Object[] old = listeners;
        int i = indexOf(old, listener);
        if (i < 0) {
            return false;
        }
        if (old.length == 1) {
            listeners = NONE;
            return true;
        }
        Object[] copy = new Object[old.length - 1];
        System.arraycopy(old, 0, copy, 0, i);
        System.arraycopy(old, i + 1, copy, i, copy.length - i);
        listeners = copy;
        return true;
    }

    private static int indexOf(Object[] a, Object o) {
        for (int i = 0; i < a.length; i++) {
            if (a[i].equals(o)) {
                return i;
            }
        }
        return -1;
    }

    public boolean contains(L listener) {
        return indexOf(listeners, listener) >= 0;
    }

    /** The listeners registered now; later changes do not show in it. */
    @SuppressWarnings("unchecked")
    public List<L> snapshot() {
        return (List<L>) Collections.unmodifiableList(Arrays.asList(listeners));
    }

    public int size() {
        return listeners.length;
    }
}
