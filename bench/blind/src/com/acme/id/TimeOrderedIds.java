package com.acme.id;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Makes unique 63-bit identifiers that grow with time: milliseconds since 2020
 * followed by a sequence number of twelve bits. When more are asked for than
 * a millisecond offers, or the clock goes back, the sequence runs ahead of
 * the clock. Lock-free and thread-safe: each identifier is greater than all
 * those returned before the call began.
 */
public class TimeOrderedIds {

    private static final long EPOCH = 1_577_836_800_000L;
    private static final int SEQUENCE_BITS = 12;

    private final LongSupplier clock;
    private final AtomicLong last = new AtomicLong();

    public TimeOrderedIds() {
        this(System::currentTimeMillis);
    }

    TimeOrderedIds(LongSupplier clock) {
        this.clock = clock;
    }

    /** The next identifier. */
    public long next() {
        long floor = (clock.getAsLong() - EPOCH) << SEQUENCE_BITS;
        for (;;) {
            long l = last.get();
            long n = Math.max(l + 1, floor);
            if (last.compareAndSet(l, n)) {
                return n;
            }
        }
    }

    /** The next identifier in base 36, padded so that text order is number order. */
    public String nextText() {
        String s = Long.toString(next(), 36);
        StringBuilder b = new StringBuilder(13);
        for (int i = s.length(); i < 13; i++) {
            b.append('0');
        }
        return b.append(s).toString();
    }

    /** Milliseconds since 1970 at which an identifier was made, about. */
    public static long timeOf(long id) {
        return (id >>> SEQUENCE_BITS) + EPOCH;
    }
}
