package io.tarnwick.kit.bits;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * A fixed number of bits, for instance to mark slots as taken.
 *
 * <p>Thread-safe without locks. Operations on one bit are atomic. {@link #cardinality}
 * and {@link #toString} look at the bits one after the other, so that changes
 * made meanwhile may or may not be reflected; likewise {@link #claim} may miss a bit
 * that is cleared while it is searching.
 */
public class SlotBits {

    private final AtomicLongArray words;
    private final int size;

    public SlotBits(int size) {
        if (size < 1) {
            throw new IllegalArgumentException("size: " + size);
        }
        this.size = size;
        this.words = new AtomicLongArray((size + 63) >>> 6);
    }

    /** Whether the bit is set. */
    public boolean get(int index) {
        check(index);
        return (words.get(index >>> 6) & (1L << index)) != 0;
    }

    /** Sets the bit and tells whether it was clear before. */
    public boolean set(int index) {
        check(index);
        long mask = 1L << index;
        int word = index >>> 6;
        long old;
        do {
            old = words.get(word);
            if ((old & mask) != 0) {
                return false;
            }
        } while (!words.compareAndSet(word, old, old | mask));
        return true;
    }

    /** Clears the bit and tells whether it was set before. */
    public boolean clear(int index) {
        check(index);
        long mask = 1L << index;
        long old = words.getAndAccumulate(index >>> 6, ~mask, (a, b) -> a & b);
        return (old & mask) != 0;
    }

    /** Inverts the bit and returns its new state. */
    public boolean flip(int index) {
        check(index);
        long mask = 1L << index;
        return (words.accumulateAndGet(index >>> 6, mask, (a, b) -> a ^ b) & mask) != 0;
    }

    /**
     * Sets some clear bit.
     *
     * @return its index, or -1 if none was found
     */
    public int claim() {
        for (int w = 0; w < words.length(); w++) {
            long word = words.get(w);
            while (word != -1L) {
                int index = (w << 6) + Long.numberOfTrailingZeros(~word);
                if (index >= size) {
                    break;
                }
                if (set(index)) {
                    return index;
                }
                word = words.get(w);
            }
        }
        return -1;
    }

    /** The number of bits set. */
    public int cardinality() {
        int count = 0;
        for (int w = 0; w < words.length(); w++) {
            count += Long.bitCount(words.get(w));
        }
        return count;
    }

    /** The number of bits. */
    public int size() {
        return size;
    }

    @Override
    public String toString() {
        StringBuilder out = new StringBuilder(size);
        for (int i = 0; i < size; i++) {
            out.append(get(i) ? '1' : '0');
        }
        return out.toString();
    }

    private void check(int index) {
        if (index < 0 || index >= size) {
            throw new IndexOutOfBoundsException("index: " + index);
        }
    }
}
