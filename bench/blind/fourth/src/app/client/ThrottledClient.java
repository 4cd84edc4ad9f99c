package app.client;

import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * Calls a remote service no more often than permitted: there are tokens for a number of calls in a
 * row, and a new token after each interval.
 *
 * <p>Thread-safe and lock-free, provided that the service is thread-safe. Instances are made with a
 * {@link Builder}, which is for use by one thread only. A thread that has read the clock earlier than
 * another one may find the bucket filled for a later time already; time never runs backwards for the
 * bucket. A token is spent even if the service fails.
 *
 * @param <Q> type of the requests
 * @param <R> type of the responses, which must not be {@code null}
 */
public final class ThrottledClient<Q, R> {

    private record Bucket(long tokens, long since) {
    }

    private final Function<? super Q, ? extends R> service;
    private final LongSupplier clock;
    private final long burst;
    private final long interval;
    private final AtomicReference<Bucket> bucket;

    private ThrottledClient(Builder<Q, R> b) {
        service = b.service;
        clock = b.clock;
        burst = b.burst;
        interval = b.intervalNanos;
        bucket = new AtomicReference<>(new Bucket(burst, clock.getAsLong()));
    }

    /** Returns a builder for a client of the given service. */
    public static <Q, R> Builder<Q, R> of(Function<? super Q, ? extends R> service) {
        return new Builder<>(service);
    }

    /** Calls the service, or returns empty without a call if no token is left. */
    public Optional<R> call(Q request) {
        return tryTake() ? Optional.of(service.apply(request)) : Optional.empty();
    }

    /** Returns the number of calls permitted at this moment. */
    public long available() {
        return refill(bucket.get(), clock.getAsLong()).tokens();
    }

    private boolean tryTake() {
        for (;;) {
            Bucket before = bucket.get();
            Bucket filled = refill(before, clock.getAsLong());
            if (filled.tokens() == 0) {
                return false;
            }
            if (bucket.compareAndSet(before, new Bucket(filled.tokens() - 1, filled.since()))) {
                return true;
            }
        }
    }

    private Bucket refill(Bucket b, long now) {
        long elapsed = now - b.since();
        if (elapsed < interval) {
            return b.tokens() == burst && elapsed > 0 ? new Bucket(burst, now) : b;
        }
        long gained = elapsed / interval;
        if (gained >= burst - b.tokens()) {
            return new Bucket(burst, now);
        }
        return new Bucket(b.tokens() + gained, b.since() + gained * interval);
    }

    /** Collects the settings of a client. */
    public static final class Builder<Q, R> {
        private final Function<? super Q, ? extends R> service;
        private LongSupplier clock = System::nanoTime;
        private long burst = 1;
        private long intervalNanos = 1_000_000_000L;

        private Builder(Function<? super Q, ? extends R> service) {
            this.service = Objects.requireNonNull(service);
        }

        /** Sets the number of calls permitted in a row, 1 by default. */
        public Builder<Q, R> burst(int calls) {
            if (calls < 1) {
                throw new IllegalArgumentException("burst: " + calls);
            }
            burst = calls;
            return this;
        }

        /** Sets the time after which there is another token, a second by default. */
        public Builder<Q, R> interval(long nanos) {
            if (nanos < 1) {
                throw new IllegalArgumentException("interval: " + nanos);
            }
            intervalNanos = nanos;
            return this;
        }

        /** Sets the clock in nanoseconds, {@link System#nanoTime} by default. */
        public Builder<Q, R> clock(LongSupplier nanoClock) {
            clock = Objects.requireNonNull(nanoClock);
            return this;
        }

        /** Returns a new client with a full bucket. */
        public ThrottledClient<Q, R> build() {
            return new ThrottledClient<>(this);
        }
    }
}
