package org.larkspur.collect;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * A Bloom filter for numbers.
 *
 * <p>Thread-safe and lock-free. A number whose {@link #put} has returned is always found by {@link
 * #mightContain}; others are found with some probability.
 */
public final class ConcurrentBloomFilter {

    private final AtomicLongArray words;
    private final int probes;

    /**
     * Creates an empty filter.
     *
     * @param wordCount the size in words of 64 bits
     * @param probes the number of bits per number
     */
    public ConcurrentBloomFilter(int wordCount, int probes) {
        if (wordCount <= 0 || wordCount > 1 << 24) {
            throw new IllegalArgumentException("wordCount: " + wordCount);
        }
        if (probes <= 0 || probes > 32) {
            throw new IllegalArgumentException("probes: " + probes);
        }
        this.words = new AtomicLongArray(wordCount);
        this.probes = probes;
    }

    /**
     * Puts a number into the filter.
     *
     * @param number the number
     * @return true if the filter's bits changed as a result of this call. In this case the number
     *     had certainly not been put by a call that returned before this one began; of several
     *     concurrent calls for the same number, more than one may return true, or none if numbers
     *     put at the same time set the bits.
     */
    public boolean put(long number) {
        boolean changed = false;
        long hash = mix(number);
        long step = mix(hash) | 1;
        for (int i = 0; i < probes; i++) {
            changed |= setBit(hash);
            hash += step;
        }
        return changed;
    }

    /**
     * Returns whether a number might be in the filter.
     *
     * @param number the number
     * @return false if it certainly is not
     */
    public boolean mightContain(long number) {
        long hash = mix(number);
        long step = mix(hash) | 1;
        for (int i = 0; i < probes; i++) {
            long bit = bitIndex(hash);
            if ((words.get((int) (bit >>> 6)) & (1L << bit)) == 0) {
                return false;
            }
            hash += step;
        }
        return true;
    }

    /**
     * Adds the bits of another filter to this one. Numbers put into the other filter meanwhile may
     * or may not be included.
     *
     * @param other a filter of the same size and number of probes
     */
    public void putAll(ConcurrentBloomFilter other) {
        if (other.words.length() != words.length() || other.probes != probes) {
            throw new IllegalArgumentException("incompatible filters");
        }
        for (int i = 0; i < words.length(); i++) {
            long bits = other.words.get(i);
            words.accumulateAndGet(i, bits, (a, b) -> a | b);
        }
    }

    /** Returns the proportion of bits that are set; an estimate under concurrent updates. */
    public double saturation() {
        long bits = 0;
        for (int i = 0; i < words.length(); i++) {
            bits += Long.bitCount(words.get(i));
        }
        return bits / (64.0 * words.length());
    }

    private boolean setBit(long hash) {
        long bit = bitIndex(hash);
        int word = (int) (bit >>> 6);
        long mask = 1L << bit;
        long old;
        do {
            old = words.get(word);
            if ((old & mask) != 0) {
                return false;
            }
        } while (!words.compareAndSet(word, old, old | mask));
        return true;
    }

    private long bitIndex(long hash) {
        return (hash & Long.MAX_VALUE) % (64L * words.length());
    }

    private static long mix(long x) {
        long z = (x ^ (x >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
