package org.larkspur.queue;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;

/**
 * A bounded single-producer single-consumer queue backed by a ring of power of two length.
 *
 * <p>{@link #offer} must be called by one thread at a time only, the producer, and {@link #poll}
 * and {@link #peek} by one thread at a time only, the consumer. {@link #size} and {@link #isEmpty}
 * may be called by any thread. All methods are non-blocking.
 *
 * @param <E> the element type
 */
public final class SpscRingBuffer<E> {

    private static final VarHandle PRODUCER;
    private static final VarHandle CONSUMER;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            PRODUCER = lookup.findVarHandle(SpscRingBuffer.class, "producerIndex", long.class);
            CONSUMER = lookup.findVarHandle(SpscRingBuffer.class, "consumerIndex", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Object[] ring;
    private final int mask;

    private volatile long producerIndex;
    private volatile long consumerIndex;

    /** The producer's last known value of the consumer index. */
    private long consumerSeen;

    /** The consumer's last known value of the producer index. */
    private long producerSeen;

    /**
     * Creates a queue.
     *
     * @param capacity the minimum capacity, rounded up to a power of two
     */
    public SpscRingBuffer(int capacity) {
        if (capacity <= 0 || capacity > 1 << 30) {
            throw new IllegalArgumentException("capacity: " + capacity);
        }
        int length = capacity == 1 ? 1 : Integer.highestOneBit(capacity - 1) << 1;
        this.ring = new Object[length];
        this.mask = length - 1;
    }

    /**
     * Appends an element. To be called by the producer.
     *
     * @param element the element, not null
     * @return false if the queue is full
     */
    public boolean offer(E element) {
        Objects.requireNonNull(element, "element");
        long index = (long) PRODUCER.get(this);
        if (index - consumerSeen > mask) {
            consumerSeen = (long) CONSUMER.getAcquire(this);
            if (index - consumerSeen > mask) {
                return false;
            }
        }
        ring[(int) index & mask] = element;
        PRODUCER.setRelease(this, index + 1);
        return true;
    }

    /**
     * Removes the oldest element. To be called by the consumer.
     *
     * @return the element or null if the queue is empty
     */
    public E poll() {
        long index = (long) CONSUMER.get(this);
        E element = elementAt(index);
        if (element != null) {
            ring[(int) index & mask] = null;
            CONSUMER.setRelease(this, index + 1);
        }
        return element;
    }

    /**
     * Returns the oldest element. To be called by the consumer.
     *
     * @return the element or null if the queue is empty
     */
    public E peek() {
        return elementAt((long) CONSUMER.get(this));
    }

    @SuppressWarnings("unchecked")
    private E elementAt(long index) {
        if (index >= producerSeen) {
            producerSeen = (long) PRODUCER.getAcquire(this);
            if (index >= producerSeen) {
                return null;
            }
        }
        return (E) ring[(int) index & mask];
    }

    /** Returns the number of elements. */
    public int size() {
        long after = consumerIndex;
        for (;;) {
            long before = after;
            long produced = producerIndex;
            after = consumerIndex;
            if (before == after) {
                return (int) (produced - after);
            }
        }
    }

    /** Returns whether the queue is empty. */
    public boolean isEmpty() {
        long consumed = consumerIndex;
        return consumed == producerIndex;
    }

    /** Returns the maximum number of elements. */
    public int capacity() {
        return ring.length;
    }
}
