package lib.filter;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * A Bloom filter that several threads may fill and query at the same time.
 *
 * <p>Thread-safe. If a {@link #put} of an item has returned, every later {@link #mightContain} of an equal
 * item returns {@code true}. Items never put may be reported as present. A query that overlaps with
 * a put of the same item may give either answer. Bits are never cleared.
 *
 * @param <T> type of the items; only {@code hashCode} is used
 */
public class SharedBloomFilter<T> {
    private final AtomicLongArray words;
    private final int bitMask;
    private final int probes;

    /**
     * @param log2Bits number of bits as power of two, 6 to 26
     * @param probes number of bits set per item, 1 to 16
     */
    public SharedBloomFilter(int log2Bits, int probes) {
        if (log2Bits < 6 || log2Bits > 26) {
            throw new IllegalArgumentException("log2Bits: " + log2Bits);
        }
        if (probes < 1 || probes > 16) {
            throw new IllegalArgumentException("probes: " + probes);
        }
        this.words = new AtomicLongArray(1 << (log2Bits - 6));
        this.bitMask = (1 << log2Bits) - 1;
        this.probes = probes;
    }

    /**
     * Puts an item.
     *
     * @return {@code true} if this call has set at least one bit, in which case the item had not been
     *     put completely before; two overlapping puts of equal items may both return {@code true}
     */
    public boolean put(T item) {
        long h = mix(item.hashCode());
        int step = (int) (h >>> 32) | 1;
        int bit = (int) h;
        boolean changed = false;
        for (int i = 0; i < probes; i++, bit += step) {
            changed |= set(bit & bitMask);
        }
        return changed;
    }

    /** Returns {@code false} only if the item has certainly not been put before this call. */
    public boolean mightContain(T item) {
        long h = mix(item.hashCode());
        int step = (int) (h >>> 32) | 1;
        int bit = (int) h;
        for (int i = 0; i < probes; i++, bit += step) {
            int b = bit & bitMask;
            if ((words.get(b >>> 6) & (1L << b)) == 0) {
                return false;
            }
        }
        return true;
    }

    /** Returns the share of bits set, between 0 and 1; an estimate while items are put. */
    public double fillRatio() {
        long ones = 0;
        for (int i = 0; i < words.length(); i++) {
            ones += Long.bitCount(words.get(i));
        }
        return (double) ones / ((long) bitMask + 1);
    }

    private boolean set(int bit) {
        int word = bit >>> 6;
        long flag = 1L << bit;
        for (;;) {
            long old = words.get(word);
            if ((old & flag) != 0) {
                return false;
            }
            if (words.compareAndSet(word, old, old | flag)) {
                return true;
            }
        }
    }

    private static long mix(int hash) {
        long h = hash * 0x9E3779B97F4A7C15L;
        h ^= h >>> 32;
        h *= 0xD6E8FEB86659FD93L;
        return h ^ (h >>> 29);
    }
}
