package org.larkspur.collect;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * A bit set that grows as needed.
 *
 * <p>This class is safe for use by multiple threads. Bits are set and cleared without locking; a
 * lock is taken only when the set has to grow.
 */
public class GrowableBitSet {

    private static final int INITIAL_WORDS = 1;

    private volatile AtomicLongArray words = new AtomicLongArray(INITIAL_WORDS);

    /**
     * Sets a bit.
     *
     * @param index the index of the bit, not negative
     * @return true if the bit was not set before
     */
    public boolean set(int index) {
        int word = wordIndex(index);
        AtomicLongArray array = words;
        if (word >= array.length()) {
            array = grow(word + 1);
        }
        long mask = 1L << index;
        for (;;) {
            long old = array.get(word);
            if ((old & mask) != 0) {
                return false;
            }
            if (array.compareAndSet(word, old, old | mask)) {
                return true;
            }
        }
    }

    /**
     * Clears a bit.
     *
     * @param index the index of the bit, not negative
     * @return true if the bit was set before
     */
    public boolean clear(int index) {
        int word = wordIndex(index);
        AtomicLongArray array = words;
        if (word >= array.length()) {
            return false;
        }
        long mask = 1L << index;
        long old = array.getAndUpdate(word, bits -> bits & ~mask);
        return (old & mask) != 0;
    }

    /**
     * Returns whether a bit is set.
     *
     * @param index the index of the bit, not negative
     */
    public boolean get(int index) {
        int word = wordIndex(index);
        AtomicLongArray array = words;
        return word < array.length() && (array.get(word) & (1L << index)) != 0;
    }

    /** Returns the number of bits set; an estimate while there are concurrent updates. */
    public int cardinality() {
        AtomicLongArray array = words;
        int sum = 0;
        for (int i = 0; i < array.length(); i++) {
            sum += Long.bitCount(array.get(i));
        }
        return sum;
    }

    private synchronized AtomicLongArray grow(int minimum) {
        AtomicLongArray array = words;
        if (array.length() >= minimum) {
            return array;
        }
        AtomicLongArray larger = new AtomicLongArray(Math.max(minimum, array.length() * 2));
        for (int i = 0; i < array.length(); i++) {
            larger.set(i, array.get(i));
        }
        words = larger;
        return larger;
    }

    private static int wordIndex(int index) {
        if (index < 0) {
            throw new IndexOutOfBoundsException("index: " + index);
        }
        return index >> 6;
    }
}
