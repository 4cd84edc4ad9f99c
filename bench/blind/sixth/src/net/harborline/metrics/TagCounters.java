package net.harborline.metrics;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Counters that are created on demand, one per tag.
 *
 * <p>The tags are spread over a fixed number of segments, each with a lock of its own. Operations
 * on one tag lock one segment. {@link #total()} and {@link #drain()} lock all of them, and see
 * every other operation either completely or not at all.
 */
public class TagCounters {

    private static final class Segment {
        final ReentrantLock lock = new ReentrantLock();
        Map<String, Long> counts = new HashMap<>();
    }

    private final Segment[] segments;

    public TagCounters() {
        this(8);
    }

    /**
     * Creates an empty set of counters.
     *
     * @param concurrency number of segments, rounded up to a power of two
     */
    public TagCounters(int concurrency) {
        if (concurrency < 1 || concurrency > 1024) {
            throw new IllegalArgumentException("concurrency: " + concurrency);
        }
        int n = 1;
        while (n < concurrency) {
            n <<= 1;
        }
        segments = new Segment[n];
        for (int i = 0; i < n; i++) {
            segments[i] = new Segment();
        }
    }

    /** Adds to a counter and returns its new value. */
    public long add(String tag, long delta) {
        Segment segment = segmentOf(tag);
        segment.lock.lock();
        try {
            return segment.counts.merge(tag, delta, Long::sum);
        } finally {
            segment.lock.unlock();
        }
    }

    /** Returns the value of a counter, 0 if it has never been used. */
    public long get(String tag) {
        Segment segment = segmentOf(tag);
        segment.lock.lock();
        try {
            return segment.counts.getOrDefault(tag, 0L);
        } finally {
            segment.lock.unlock();
        }
    }

    /** Returns the sum of all counters. */
    public long total() {
        lockAll();
        try {
            long sum = 0;
            for (Segment segment : segments) {
                for (long value : segment.counts.values()) {
                    sum += value;
                }
            }
            return sum;
        } finally {
            unlockAll();
        }
    }

    /** Returns all counters and starts again from nothing. */
    public Map<String, Long> drain() {
        Map<String, Long> result = new HashMap<>();
        lockAll();
        try {
            for (Segment segment : segments) {
                result.putAll(segment.counts);
                segment.counts = new HashMap<>();
            }
        } finally {
            unlockAll();
        }
        return result;
    }

    private Segment segmentOf(String tag) {
        int h = Objects.requireNonNull(tag, "tag").hashCode();
        return segments[(h ^ (h >>> 16)) & (segments.length - 1)];
    }

    private void lockAll() {
        for (Segment segment : segments) {
            segment.lock.lock();
        }
    }

    private void unlockAll() {
        for (int i = segments.length - 1; i >= 0; i--) {
            segments[i].lock.unlock();
        }
    }
}
