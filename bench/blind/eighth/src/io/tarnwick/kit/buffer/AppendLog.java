package io.tarnwick.kit.buffer;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * An append-only list made of chunks of equal size, which are allocated as the list
 * grows and never moved. Elements can be read by index.
 *
 * <p>Appending and reading need no locks. An index may be handed out a little before
 * its element is in place; {@link #get} returns null until then. Once
 * {@link #append} has returned the element can be read by every thread.
 *
 * @param <E> elements, not null
 */
public class AppendLog<E> {

    private final AtomicReferenceArray<AtomicReferenceArray<E>> chunks;
    private final AtomicInteger next = new AtomicInteger();
    private final int chunkSize;
    private final int capacity;

    public AppendLog() {
        this(64, 1024);
    }

    /**
     * @param chunkSize elements in a chunk
     * @param maxChunks the most chunks there can be
     */
    public AppendLog(int chunkSize, int maxChunks) {
        if (chunkSize < 1 || maxChunks < 1) {
            throw new IllegalArgumentException(chunkSize + " x " + maxChunks);
        }
        this.chunkSize = chunkSize;
        this.capacity = Math.multiplyExact(chunkSize, maxChunks);
        this.chunks = new AtomicReferenceArray<>(maxChunks);
        this.chunks.set(0, new AtomicReferenceArray<>(chunkSize));
    }

    /**
     * Appends an element.
     *
     * @return its index, or -1 if the log is full
     */
    public int append(E element) {
        Objects.requireNonNull(element, "element");
        int index;
        do {
            index = next.get();
            if (index >= capacity) {
                return -1;
            }
        } while (!next.compareAndSet(index, index + 1));
        chunkFor(index).set(index % chunkSize, element);
        return index;
    }

    /** The element at the index, or null if none has been put there yet. */
    public E get(int index) {
        if (index < 0 || index >= capacity) {
            throw new IndexOutOfBoundsException("index: " + index);
        }
        AtomicReferenceArray<E> chunk = chunks.get(index / chunkSize);
        return chunk == null ? null : chunk.get(index % chunkSize);
    }

    /** The number of indexes handed out. */
    public int size() {
        return next.get();
    }

    /** The number of elements that the log can take. */
    public int capacity() {
        return capacity;
    }

    private AtomicReferenceArray<E> chunkFor(int index) {
        int position = index / chunkSize;
        AtomicReferenceArray<E> chunk = chunks.get(position);
        if (chunk == null) {
            chunk = new AtomicReferenceArray<>(chunkSize);
            chunks.set(position, chunk);
        }
        return chunk;
    }
}
