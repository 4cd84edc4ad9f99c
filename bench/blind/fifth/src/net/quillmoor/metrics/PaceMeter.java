package net.quillmoor.metrics;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Averages the duration of laps.
 *
 * <p>Thread-safe and lock-free. As the meter is read while laps come in, an average may include the
 * duration of a lap that is not counted yet or the other way round; the error vanishes as laps are
 * added. Reading never fails.
 */
public final class PaceMeter {

    private final String name;
    private final AtomicLong laps = new AtomicLong();
    private final AtomicLong totalMillis = new AtomicLong();
    private final AtomicLong longest = new AtomicLong();

    /** Creates a meter without laps. */
    public PaceMeter(String name) {
        this.name = name;
    }

    /** Returns the name of the meter. */
    public String name() {
        return name;
    }

    /** Adds a lap. */
    public void lap(long millis) {
        if (millis < 0) {
            throw new IllegalArgumentException("millis: " + millis);
        }
        totalMillis.addAndGet(millis);
        laps.incrementAndGet();
        longest.accumulateAndGet(millis, Math::max);
    }

    /** Returns the number of laps. */
    public long laps() {
        return laps.get();
    }

    /** Returns the longest lap, zero if there was none. */
    public long longest() {
        return longest.get();
    }

    /** Returns the average duration of a lap in milliseconds, zero if there was none. */
    public long averageMillis() {
        if (laps.get() == 0) {
            return 0;
        }
        return totalMillis.get() / laps.get();
    }

    /** Forgets all laps. Laps that are just being added may be forgotten in part. */
    public void reset() {
        laps.set(0);
        totalMillis.set(0);
        longest.set(0);
    }

    @Override
    public String toString() {
        return name + ": " + averageMillis() + " ms";
    }
}
