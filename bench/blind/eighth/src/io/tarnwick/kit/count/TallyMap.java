package io.tarnwick.kit.count;

import java.util.concurrent.ConcurrentHashMap;

/**
 * A concurrent map of tallies. In addition to what the map offers there are atomic
 * operations for counting. A key that is counted down to zero is removed.
 *
 * <p>As in its superclass, operations on one key are atomic and those on the whole map
 * are weakly consistent.
 *
 * @param <K> what is counted
 */
public class TallyMap<K> extends ConcurrentHashMap<K, Long> {

    private static final long serialVersionUID = 1L;

    public TallyMap() {
    }

    /** @param initialCapacity the number of keys expected */
    public TallyMap(int initialCapacity) {
        super(initialCapacity);
    }

    /** The tally of a key; 0 if there is none. */
    public long tally(K key) {
        Long present = get(key);
        return present == null ? 0L : present;
    }

    /** Counts up and returns the new tally. */
    public long up(K key) {
        return merge(key, 1L, Long::sum);
    }

    /**
     * Counts down.
     *
     * @return false if the tally was not positive; it is left alone then
     */
    public boolean down(K key) {
        while (true) {
            Long present = get(key);
            if (present == null || present <= 0) {
                return false;
            }
            boolean done = present == 1L
                    ? remove(key, present)
                    : replace(key, present, present - 1);
            if (done) {
                return true;
            }
        }
    }

    /** Raises the tally to the given positive number unless it is that high; returns the tally. */
    public long atLeast(K key, long number) {
        if (number <= 0) {
            throw new IllegalArgumentException("number: " + number);
        }
        while (true) {
            Long present = get(key);
            if (present == null) {
                if (putIfAbsent(key, number) == null) {
                    return number;
                }
            } else if (present >= number) {
                return present;
            } else if (replace(key, present, number)) {
                return number;
            }
        }
    }

    /** Sets the tally back to none and returns what it was. */
    public long reset(K key) {
        Long present = remove(key);
        return present == null ? 0L : present;
    }
}
