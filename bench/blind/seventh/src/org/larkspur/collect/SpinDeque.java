package org.larkspur.collect;

import java.util.ArrayDeque;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A double-ended queue for very short critical sections.
 *
 * <p>Thread-safe. Access is guarded by a lock that spins instead of blocking. {@link #tryAddLast}
 * does not even spin: it gives up and returns false if another thread happens to be using the
 * deque.
 *
 * @param <E> the element type
 */
public class SpinDeque<E> {

    private static final int SPINS_BEFORE_YIELD = 64;

    private final AtomicBoolean busy = new AtomicBoolean();
    private final ArrayDeque<E> elements = new ArrayDeque<>();

    /** Creates an empty deque. */
    public SpinDeque() {
    }

    /**
     * Adds an element at the front.
     *
     * @param element the element, not null
     */
    public void addFirst(E element) {
        Objects.requireNonNull(element, "element");
        acquire();
        try {
            elements.addFirst(element);
        } finally {
            busy.set(false);
        }
    }

    /**
     * Adds an element at the end.
     *
     * @param element the element, not null
     */
    public void addLast(E element) {
        Objects.requireNonNull(element, "element");
        acquire();
        try {
            elements.addLast(element);
        } finally {
            busy.set(false);
        }
    }

    /**
     * Adds an element at the end unless the deque is in use.
     *
     * @param element the element, not null
     * @return whether it was added
     */
    public boolean tryAddLast(E element) {
        Objects.requireNonNull(element, "element");
        if (!busy.compareAndSet(false, true)) {
            return false;
        }
        try {
            elements.addLast(element);
            return true;
        } finally {
            busy.set(false);
        }
    }

    /** Removes and returns the element at the front, null if there is none. */
    public E pollFirst() {
        acquire();
        try {
            return elements.pollFirst();
        } finally {
            busy.lazySet(false);
        }
    }

    /** Removes and returns the element at the end, null if there is none. */
    public E pollLast() {
        acquire();
        try {
            return elements.pollLast();
        } finally {
            busy.lazySet(false);
        }
    }

    /** Returns the number of elements. */
    public int size() {
        acquire();
        try {
            return elements.size();
        } finally {
            busy.lazySet(false);
        }
    }

    private void acquire() {
        int spins = 0;
        while (busy.get() || !busy.compareAndSet(false, true)) {
            if (++spins < SPINS_BEFORE_YIELD) {
                Thread.onSpinWait();
            } else {
                spins = 0;
                Thread.yield();
            }
        }
    }
}
