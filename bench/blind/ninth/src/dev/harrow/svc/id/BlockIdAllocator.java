package dev.harrow.svc.id;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Allocates unique ids out of blocks reserved from a shared store, so that the store is consulted
 * only once per block. May be used by any number of threads.
 */
public final class BlockIdAllocator {

    private final BlockStore store;
    private final int blockSize;
    private final AtomicLong cursor = new AtomicLong();
    private volatile long limit;
    private int reservations;

    public BlockIdAllocator(BlockStore store, int blockSize) {
        if (blockSize < 1) {
            throw new IllegalArgumentException("blockSize must be positive");
        }
        this.store = Objects.requireNonNull(store);
        this.blockSize = blockSize;
    }

    /** Returns the next id; no id is returned twice. */
    public long next() {
        for (;;) {
            long id = cursor.getAndIncrement();
            if (id < limit) {
                return id;
            }
            reserve();
        }
    }

    /** Returns the next id in the form used in external references. */
    public String nextReference(String prefix) {
        return prefix + '-' + Long.toString(next(), 36).toUpperCase();
    }

    public synchronized int reservationCount() {
        return reservations;
    }

    private synchronized void reserve() {
        if (cursor.get() < limit) {
            return;
        }
        long start = store.reserve(blockSize);
        limit = start + blockSize;
        cursor.set(start);
        reservations++;
    }
}
