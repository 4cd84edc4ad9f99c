package net.harborline.id;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Generates positive, strictly increasing 63 bit identifiers that sort roughly by time of creation.
 *
 * <p>The upper bits hold the milliseconds since the epoch of the generator, the lower 16 bits a
 * sequence. When the clock stands still or is set back the generator goes on from the last
 * identifier. May be shared between threads.
 */
public final class TimeOrderedIds {

    private static final int SEQUENCE_BITS = 16;
    private static final long EPOCH = 1_600_000_000_000L;

    private final LongSupplier clock;
    private final AtomicLong last = new AtomicLong();

    public TimeOrderedIds() {
        this(System::currentTimeMillis);
    }

    /**
     * Creates a generator.
     *
     * @param clock supplies the time in milliseconds, must be safe for use by several threads
     */
    public TimeOrderedIds(LongSupplier clock) {
        this.clock = Objects.requireNonNull(clock, "clock");
    }

    /** Returns an identifier greater than all those returned before. */
    public long next() {
        long byClock = Math.max(0L, clock.getAsLong() - EPOCH) << SEQUENCE_BITS;
        for (;;) {
            long previous = last.get();
            long candidate = Math.max(byClock, previous + 1);
            if (last.compareAndSet(previous, candidate)) {
                return candidate;
            }
        }
    }

    /**
     * Reserves a block of consecutive identifiers.
     *
     * @param size number of identifiers
     * @return the first identifier of the block
     */
    public long nextBlock(int size) {
        if (size < 1) {
            throw new IllegalArgumentException("size: " + size);
        }
        return last.getAndAdd(size) + 1;
    }

    /** Makes sure that identifiers issued from now on are greater than the given one. */
    public void skipPast(long id) {
        long previous = last.get();
        while (previous < id && !last.compareAndSet(previous, id)) {
            previous = last.get();
        }
    }

    /** Returns the time at which the clock would have issued the identifier, in milliseconds. */
    public static long timeOf(long id) {
        return (id >>> SEQUENCE_BITS) + EPOCH;
    }
}
