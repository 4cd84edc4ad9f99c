package shop.ids;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;

/**
 * Generates unique ids from blocks of numbers, so that the sequence in the database is asked only
 * once for every {@link #blockSize()} ids.
 *
 * <p>Every id is given out once. Ids are not necessarily consecutive: the rest of a block may be
 * skipped.
 *
 * <p>Thread-safe; while the current block lasts, no lock is taken.
 */
public final class BlockIdGenerator {

    private final IdBlockSource source;
    private final int blockSize;
    private final AtomicLong cursor;
    private volatile long limit;

    /**
     * Creates a generator and reserves its first block.
     *
     * @param source where blocks come from
     * @param blockSize how many ids to reserve at a time, at least one
     */
    public BlockIdGenerator(IdBlockSource source, int blockSize) {
        if (blockSize < 1) {
            throw new IllegalArgumentException("blockSize: " + blockSize);
        }
        this.source = Objects.requireNonNull(source, "source");
        this.blockSize = blockSize;
        long first = source.reserve(blockSize);
        this.cursor = new AtomicLong(first);
        this.limit = first + blockSize;
    }

    /** Creates a generator that counts from zero within this process. */
    public static BlockIdGenerator local(int blockSize) {
        AtomicLong sequence = new AtomicLong();
        return new BlockIdGenerator(sequence::getAndAdd, blockSize);
    }

    /** Returns an id that was never returned before. */
    public long nextId() {
        long id = cursor.getAndIncrement();
        if (id < limit) {
            return id;
        }
        return nextFromNewBlock();
    }

    /** Returns the next id with a prefix, such as {@code ORD-1042}. */
    public String nextId(String prefix) {
        return prefix + "-" + nextId();
    }

    /** Returns several fresh ids. */
    public long[] nextIds(int count) {
        return LongStream.generate(this::nextId).limit(count).toArray();
    }

    public int blockSize() {
        return blockSize;
    }

    private synchronized long nextFromNewBlock() {
        // another thread may have fetched a block while this one waited for the lock
        long id = cursor.getAndIncrement();
        if (id < limit) {
            return id;
        }
        long first = source.reserve(blockSize);
        cursor.set(first + 1);
        limit = first + blockSize;
        return first;
    }
}
