package net.quillmoor.id;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Issues unique numbers out of blocks that are reserved from a shared store.
 *
 * <p>Thread-safe. No number is issued twice as long as the store does not hand out overlapping
 * blocks. Numbers are not issued in strictly ascending order, and numbers may be skipped.
 */
public class BlockIds {

    /** Hands out blocks of numbers, usually from a table shared by all nodes. */
    public interface BlockStore {
        /**
         * Reserves a block.
         *
         * @return the first number of the block
         */
        long reserve(int size);
    }

    private final BlockStore store;
    private final int blockSize;
    private final AtomicLong cursor = new AtomicLong();
    private volatile long limit;
    private volatile int blocksUsed;

    /**
     * Creates an issuer; the first block is reserved when the first number is needed.
     *
     * @param store where to get blocks
     * @param blockSize how many numbers to reserve at once, positive
     */
    public BlockIds(BlockStore store, int blockSize) {
        if (blockSize < 1) {
            throw new IllegalArgumentException("blockSize: " + blockSize);
        }
        this.store = Objects.requireNonNull(store, "store");
        this.blockSize = blockSize;
    }

    /** Issues a number. */
    public long next() {
        if (blocksUsed > 0) {
            long id = cursor.getAndIncrement();
            if (id < limit) {
                return id;
            }
        }
        return nextFromNewBlock();
    }

    private synchronized long nextFromNewBlock() {
        if (blocksUsed > 0) {
            // another thread may have reserved a block meanwhile
            long id = cursor.getAndIncrement();
            if (id < limit) {
                return id;
            }
        }
        long first = store.reserve(blockSize);
        cursor.set(first + 1);
        limit = first + blockSize;
        blocksUsed++;
        return first;
    }

    /** Returns how many blocks have been reserved. */
    public int blocksUsed() {
        return blocksUsed;
    }

    /** Returns the number of numbers reserved at once. */
    public int blockSize() {
        return blockSize;
    }
}
