package b2.pooledchunk;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * A chunk of memory cells with a reference count. The creator holds the first reference; after the
 * last one has been released, the chunk cannot be used again.
 *
 * <p>Thread-safe. The cells can be used by holders of a reference only; whether the chunk is alive
 * is checked at the beginning of each access as a courtesy.
 */
public class PooledChunk {
    private final AtomicInteger references = new AtomicInteger(1);
    private final AtomicIntegerArray cells;

    public PooledChunk() {
        this(4);
    }

    public PooledChunk(int size) {
        cells = new AtomicIntegerArray(size);
    }

    /**
     * Adds a reference; returns the number of references.
     *
     * @throws IllegalStateException if the last reference has been released
     */
    public int retain() {
        while (true) {
            int n = references.get();
            if (n == 0) {
                throw new IllegalStateException("released");
            }
            if (references.compareAndSet(n, n + 1)) {
                return n + 1;
            }
        }
    }

    /**
     * Releases a reference.
     *
     * @return true if it was the last one
     * @throws IllegalStateException if the last reference has been released before
     */
    public boolean release() {
        while (true) {
            int n = references.get();
            if (n == 0) {
                throw new IllegalStateException("released");
            }
            if (references.compareAndSet(n, n - 1)) {
                return n == 1;
            }
        }
    }

    /** Tells whether there is a reference. */
    public boolean isAlive() {
        return references.get() > 0;
    }

    /** Adds to a cell; returns its new value. */
    public int add(int index, int delta) {
        ensureAlive();
        return cells.addAndGet(index, delta);
    }

    /** Returns the value of a cell. */
    public int get(int index) {
        ensureAlive();
        return cells.get(index);
    }

    private void ensureAlive() {
        if (!isAlive()) {
            throw new IllegalStateException("released");
        }
    }
}
