package org.larkspur.collect;

import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A collection that counts how often an element occurs.
 *
 * <p>Thread-safe. The operations on a single element are atomic. {@link #size} and {@link
 * #elementSet} are weakly consistent: they reflect some but not necessarily all of the updates that
 * are made while they run.
 *
 * @param <E> the element type
 */
public final class CountingMultiset<E extends Comparable<? super E>> {

    /** A counter that has become zero is never used again. */
    private final ConcurrentMap<E, AtomicInteger> counters = new ConcurrentHashMap<>();

    /** Creates an empty multiset. */
    public CountingMultiset() {
    }

    /**
     * Adds occurrences of an element.
     *
     * @param element the element, not null
     * @param occurrences the number of occurrences to add, positive
     * @return the number of occurrences before
     */
    public int add(E element, int occurrences) {
        checkPositive(occurrences);
        for (;;) {
            AtomicInteger counter = counters.get(element);
            if (counter == null) {
                counter = counters.putIfAbsent(element, new AtomicInteger(occurrences));
                if (counter == null) {
                    return 0;
                }
            }
            int old = counter.get();
            while (old != 0) {
                if (counter.compareAndSet(old, Math.addExact(old, occurrences))) {
                    return old;
                }
                old = counter.get();
            }
            AtomicInteger fresh = new AtomicInteger(occurrences);
            if (counters.replace(element, counter, fresh)
                    || counters.putIfAbsent(element, fresh) == null) {
                return 0;
            }
        }
    }

    /**
     * Removes occurrences of an element, as many as there are at most.
     *
     * @param element the element, not null
     * @param occurrences the number of occurrences to remove, positive
     * @return the number of occurrences before
     */
    public int remove(E element, int occurrences) {
        checkPositive(occurrences);
        AtomicInteger counter = counters.get(element);
        if (counter == null) {
            return 0;
        }
        for (;;) {
            int old = counter.get();
            if (old == 0) {
                return 0;
            }
            int rest = Math.max(0, old - occurrences);
            if (counter.compareAndSet(old, rest)) {
                if (rest == 0) {
                    counters.remove(element, counter);
                }
                return old;
            }
        }
    }

    /** Returns the number of occurrences of an element. */
    public int count(E element) {
        AtomicInteger counter = counters.get(Objects.requireNonNull(element, "element"));
        return counter == null ? 0 : counter.get();
    }

    /** Returns the number of occurrences of all elements. */
    public long size() {
        long sum = 0;
        for (AtomicInteger counter : counters.values()) {
            sum += counter.get();
        }
        return sum;
    }

    /** Returns a sorted copy of the set of elements that occur at least once. */
    public Set<E> elementSet() {
        Set<E> result = new TreeSet<>();
        counters.forEach((element, counter) -> {
            if (counter.get() > 0) {
                result.add(element);
            }
        });
        return result;
    }

    private static void checkPositive(int occurrences) {
        if (occurrences <= 0) {
            throw new IllegalArgumentException("occurrences: " + occurrences);
        }
    }
}
