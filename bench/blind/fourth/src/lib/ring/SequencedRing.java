package lib.ring;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * A bounded lock-free FIFO ring buffer for any number of producers and consumers, in which every
 * slot has a sequence number telling whose turn it is.
 *
 * <p>Thread-safe. No element is lost or delivered twice, and elements are delivered in the order in
 * which their slots were claimed. Both operations are best effort: {@link #tryOffer} may fail although
 * there is room while a consumer has not finished with the slot in turn, and {@link #tryPoll} may
 * find nothing although a later element is complete while the producer of an earlier one has not
 * finished. When no other call is running neither fails without reason.
 *
 * @param <E> type of the elements, {@code null} is not permitted
 */
public final class SequencedRing<E> {
    private final int mask;
    private final AtomicReferenceArray<E> slots;
    private final AtomicLongArray sequences;
    private final AtomicLong head = new AtomicLong();
    private final AtomicLong tail = new AtomicLong();

    /**
     * @param capacity wanted capacity, rounded up to a power of two and to at least 2
     */
    public SequencedRing(int capacity) {
        if (capacity < 1 || capacity > 1 << 24) {
            throw new IllegalArgumentException("capacity: " + capacity);
        }
        int n = 2;
        while (n < capacity) {
            n <<= 1;
        }
        mask = n - 1;
        slots = new AtomicReferenceArray<>(n);
        sequences = new AtomicLongArray(n);
        for (int i = 0; i < n; i++) {
            sequences.set(i, i);
        }
    }

    /** Tries to append the element; returns whether it was appended. */
    public boolean tryOffer(E e) {
        Objects.requireNonNull(e);
        for (;;) {
            long pos = tail.get();
            int i = (int) pos & mask;
            long lead = sequences.get(i) - pos;
            if (lead < 0) {
                return false;
            }
            if (lead == 0 && tail.compareAndSet(pos, pos + 1)) {
                slots.set(i, e);
                sequences.set(i, pos + 1);
                return true;
            }
        }
    }

    /** Tries to remove the oldest element; returns {@code null} if there was none to be had. */
    public E tryPoll() {
        for (;;) {
            long pos = head.get();
            int i = (int) pos & mask;
            long lead = sequences.get(i) - (pos + 1);
            if (lead < 0) {
                return null;
            }
            if (lead == 0 && head.compareAndSet(pos, pos + 1)) {
                E e = slots.get(i);
                slots.set(i, null);
                sequences.set(i, pos + mask + 1);
                return e;
            }
        }
    }

    /** Returns the number of slots. */
    public int capacity() {
        return mask + 1;
    }

    /** Returns an estimate of the number of elements, between 0 and the capacity. */
    public int estimateSize() {
        long h = head.get();
        long n = tail.get() - h;
        return (int) Math.max(0, Math.min(n, mask + 1));
    }
}
