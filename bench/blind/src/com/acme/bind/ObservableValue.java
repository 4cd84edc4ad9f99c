package com.acme.bind;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * A value with listeners. Two values can be bound so that each follows the
 * other. Thread-safe: listeners see changes in the order in which they were
 * made.
 */
public class ObservableValue<T> {

    /** Called after a change. */
    @FunctionalInterface
    public interface Listener<T> {
        void changed(T before, T after);
    }

    private final List<Listener<? super T>> listeners = new ArrayList<>();
    private T value;
    private int changes;

    public ObservableValue() {
    }

    public ObservableValue(T initial) {
        this.value = initial;
    }

    public synchronized T get() {
        return value;
    }

    /**
     * Sets the value and tells the listeners unless it is equal to the one
     * before.
     */
    public void set(T newValue) {
        synchronized (this) {
            T before = value;
            if (Objects.equals(before, newValue)) {
                return;
            }
            value = newValue;
            changes++;
            for (Listener<? super T> l : listeners) {
                l.changed(before, newValue);
            }
        }
    }

    public synchronized void addListener(Listener<? super T> l) {
        listeners.add(Objects.requireNonNull(l));
    }

    public synchronized boolean removeListener(Listener<? super T> l) {
        return listeners.remove(l);
    }

    /**
     * Takes over the value of the other and makes both follow each other
     * from now on.
     */
    public void bindBidirectional(ObservableValue<T> other) {
        if (other == this) {
            throw new IllegalArgumentException("bound to itself");
        }
        set(other.get());
        addListener((before, after) -> other.set(after));
        other.addListener((before, after) -> set(after));
    }

    /** Number of changes. */
    public synchronized int changes() {
        return changes;
    }
}
