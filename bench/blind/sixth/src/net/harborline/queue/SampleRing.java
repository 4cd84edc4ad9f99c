package net.harborline.queue;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Ring buffer between the thread that takes samples and the thread that stores them.
 *
 * <p>{@link #offer(Object)} may be called by a single producer thread only, {@link #poll()} and
 * {@link #peek()} by a single consumer thread only. {@link #size()} may be called by any thread.
 *
 * @param <S> type of the samples
 */
public class SampleRing<S> {

    private final AtomicReferenceArray<S> slots;
    private final int mask;

    /** Number of samples ever taken out; written by the consumer only. */
    private volatile long head;

    /** Number of samples ever put in; written by the producer only. */
    private volatile long tail;

    /**
     * Creates an empty ring.
     *
     * @param capacity number of slots, a power of two
     */
    public SampleRing(int capacity) {
        if (capacity < 1 || Integer.bitCount(capacity) != 1) {
            throw new IllegalArgumentException("not a power of two: " + capacity);
        }
        this.slots = new AtomicReferenceArray<>(capacity);
        this.mask = capacity - 1;
    }

    /**
     * Puts a sample into the ring. Single producer only.
     *
     * @return {@code false} if the ring is full
     */
    public boolean offer(S sample) {
        Objects.requireNonNull(sample, "sample");
        long t = tail;
        if (t - head > mask) {
            return false;
        }
        slots.set((int) t & mask, sample);
        tail = t + 1;
        return true;
    }

    /** Takes the oldest sample or returns {@code null}. Single consumer only. */
    public S poll() {
        long h = head;
        if (h == tail) {
            return null;
        }
        int slot = (int) h & mask;
        S sample = slots.get(slot);
        slots.set(slot, null);
        head = h + 1;
        return sample;
    }

    /** Returns the oldest sample or {@code null} and leaves it there. Single consumer only. */
    public S peek() {
        long h = head;
        return h == tail ? null : slots.get((int) h & mask);
    }

    /** Returns an estimate of the number of samples in the ring, between 0 and the capacity. */
    public int size() {
        long h = head;
        long t = tail;
        return (int) Math.min(t - h, mask + 1);
    }

    public int capacity() {
        return mask + 1;
    }
}
