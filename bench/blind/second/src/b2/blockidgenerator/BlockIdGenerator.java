package b2.blockidgenerator;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Generates unique ids. The ids are reserved in blocks, as from a database sequence, and then
 * handed out from memory without locking.
 *
 * <p>Thread-safe. No id is returned twice. Concurrent calls may leave gaps between the ids and get
 * them in any order.
 */
public class BlockIdGenerator {
    private static final int BLOCK_SIZE = 100;

    private final AtomicLong next = new AtomicLong();
    private volatile long limit;
    private long blocks;

    public BlockIdGenerator() {
        reserveBlock();
    }

    /** Returns the next id. */
    public long nextId() {
        long id = next.getAndIncrement();
        if (id < limit) {
            return id;
        }
        synchronized (this) {
            while (true) {
                if (next.get() >= limit) {
                    reserveBlock();
                }
                id = next.getAndIncrement();
                if (id < limit) {
                    return id;
                }
            }
        }
    }

    /** Returns the number of blocks that have been reserved. */
    public synchronized long blocks() {
        return blocks;
    }

    private synchronized void reserveBlock() {
        long base = blocks * BLOCK_SIZE;
        blocks++;
        next.set(base);
        limit = base + BLOCK_SIZE;
    }
}
