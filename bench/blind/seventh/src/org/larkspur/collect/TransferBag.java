package org.larkspur.collect;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A bag: a collection that counts how often an element occurs. The contents of one bag can be
 * added to another one as a whole.
 *
 * @param <E> the element type
 */
public class TransferBag<E> {

    private final Lock lock = new ReentrantLock();
    private final Map<E, Integer> counts = new HashMap<>();
    private int total;

    /**
     * Adds one occurrence of an element.
     *
     * @param element the element, not null
     * @return the number of occurrences after the call
     */
    public int add(E element) {
        Objects.requireNonNull(element, "element");
        lock.lock();
        try {
            total++;
            return counts.merge(element, 1, Integer::sum);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Removes one occurrence of an element.
     *
     * @param element the element, not null
     * @return true if there was one
     */
    public boolean remove(E element) {
        Objects.requireNonNull(element, "element");
        lock.lock();
        try {
            Integer old = counts.get(element);
            if (old == null) {
                return false;
            }
            if (old == 1) {
                counts.remove(element);
            } else {
                counts.put(element, old - 1);
            }
            total--;
            return true;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Adds all occurrences of all elements of another bag to this one.
     *
     * @param other the other bag
     * @return true if this bag changed
     */
    public boolean addAll(TransferBag<? extends E> other) {
        Objects.requireNonNull(other, "other");
        if (other == this) {
            throw new IllegalArgumentException("cannot add a bag to itself");
        }
        lock.lock();
        try {
            return other.copyInto(this);
        } finally {
            lock.unlock();
        }
    }

    private boolean copyInto(TransferBag<? super E> target) {
        lock.lock();
        try {
            for (Map.Entry<E, Integer> entry : counts.entrySet()) {
                target.counts.merge(entry.getKey(), entry.getValue(), Integer::sum);
            }
            target.total += total;
            return total > 0;
        } finally {
            lock.unlock();
        }
    }

    /** Returns the number of occurrences of an element. */
    public int count(E element) {
        lock.lock();
        try {
            return counts.getOrDefault(element, 0);
        } finally {
            lock.unlock();
        }
    }

    /** Returns the number of occurrences of all elements. */
    public int size() {
        lock.lock();
        try {
            return total;
        } finally {
            lock.unlock();
        }
    }
}
