package b2.monotonicclock;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Time stamps that are unique and strictly increasing, even if the system's clock stands still or
 * is set back.
 *
 * <p>Thread-safe: a call that starts after another one has returned gets a larger time stamp.
 */
public class MonotonicClock {
    private final LongSupplier source;
    private final AtomicLong last = new AtomicLong(Long.MIN_VALUE);

    public MonotonicClock() {
        this(System::currentTimeMillis);
    }

    /** The source may be asked several times for one time stamp, and by several threads at once. */
    public MonotonicClock(LongSupplier source) {
        this.source = Objects.requireNonNull(source);
    }

    /**
     * Returns a new time stamp: the source's time or, if that has been used, a later one.
     *
     * @throws ArithmeticException if the largest time stamp has been used
     */
    public long next() {
        while (true) {
            long previous = last.get();
            long now = source.getAsLong();
            long stamp = now > previous ? now : Math.incrementExact(previous);
            if (last.compareAndSet(previous, stamp)) {
                return stamp;
            }
        }
    }

    /**
     * Returns the latest time stamp without making a new one.
     *
     * @throws IllegalStateException if there was none yet
     */
    public long latest() {
        long stamp = last.get();
        if (stamp == Long.MIN_VALUE) {
            throw new IllegalStateException("no time stamp yet");
        }
        return stamp;
    }

    /** Makes sure that all further time stamps are larger than the given one. */
    public void observe(long stamp) {
        long previous = last.get();
        while (previous < stamp && !last.compareAndSet(previous, stamp)) {
            previous = last.get();
        }
    }
}
