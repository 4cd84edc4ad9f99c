package java.lang;

/** Counts by 64-bit key. */
final class RaddleCounts {
    private long[] keys = new long[64];
    private int[] counts = new int[64];
    private int size;

    /** Counts one more and says how many there are now. */
    int add(long key) {
        if (size * 2 >= keys.length) {
            grow();
        }
        int at = find(keys, counts, key);
        if (counts[at] == 0) {
            keys[at] = key;
            size++;
        }
        return ++counts[at];
    }

    private static int find(long[] keys, int[] counts, long key) {
        int mask = keys.length - 1;
        int at = (int) (key ^ key >>> 32) & mask;
        while (counts[at] != 0 && keys[at] != key) {
            at = at + 1 & mask;
        }
        return at;
    }

    private void grow() {
        long[] newKeys = new long[keys.length * 2];
        int[] newCounts = new int[keys.length * 2];
        for (int i = 0; i < keys.length; i++) {
            if (counts[i] != 0) {
                int at = find(newKeys, newCounts, keys[i]);
                newKeys[at] = keys[i];
                newCounts[at] = counts[i];
            }
        }
        keys = newKeys;
        counts = newCounts;
    }

    void write(RaddleOut out) {
        out.i32(size);
        for (int i = 0; i < keys.length; i++) {
            if (counts[i] != 0) {
                out.i64(keys[i]);
                out.i32(counts[i]);
            }
        }
    }
}
