package net.quillmoor.id;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;

/**
 * Issues ids that ascend with time and are unique among up to 1024 nodes.
 *
 * <p>Thread-safe and lock-free. On one node no id is issued twice, and an id requested after another
 * one was returned is greater, even if the clock goes back. If more than 4096 ids are needed in a
 * millisecond, or the clock goes back, the time part runs ahead of the clock.
 */
public final class ClockedIds {

    /** Tells the time. */
    @FunctionalInterface
    public interface MilliClock {
        /** Returns the milliseconds since the epoch of the ids. */
        long millis();
    }

    private static final int NODE_BITS = 10;
    private static final int SEQUENCE_BITS = 12;
    private static final VarHandle LAST;

    static {
        try {
            LAST = MethodHandles.lookup().findVarHandle(ClockedIds.class, "last", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final MilliClock clock;
    private final int node;
    /** Time and sequence of the last id issued. */
    private volatile long last;

    ClockedIds(MilliClock clock, int node) {
        if (node < 0 || node >= 1 << NODE_BITS) {
            throw new IllegalArgumentException("node: " + node);
        }
        this.clock = Objects.requireNonNull(clock, "clock");
        this.node = node;
    }

    /** Creates an issuer that goes by the given clock. */
    public static ClockedIds onNode(int node, MilliClock clock) {
        return new ClockedIds(clock, node);
    }

    /** Issues an id. */
    public long next() {
        for (;;) {
            long previous = last;
            long fromClock = clock.millis() << SEQUENCE_BITS;
            long next = Math.max(previous + 1, fromClock);
            if (LAST.compareAndSet(this, previous, next)) {
                return next << NODE_BITS | node;
            }
        }
    }

    /** Returns the node an id was issued by. */
    public static int nodeOf(long id) {
        return (int) (id & ((1 << NODE_BITS) - 1));
    }

    /** Returns the time part of an id. */
    public static long millisOf(long id) {
        return id >>> (NODE_BITS + SEQUENCE_BITS);
    }

    /** Returns how far the ids issued are ahead of the clock, zero if they are not. */
    public long aheadMillis() {
        return Math.max(0, (last >>> SEQUENCE_BITS) - clock.millis());
    }
}
