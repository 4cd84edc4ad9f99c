package net.quillmoor.queue;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Collects parcels and carries them to a depot in batches.
 *
 * <p>Thread-safe. A parcel that has been accepted is carried at the latest when the courier is
 * closed, and the future returned for it is then completed. Parcels handed in after closing are
 * refused with an exception.
 *
 * @param <T> the parcel type
 */
public final class BatchCourier<T> implements AutoCloseable {

    /** Where batches go. Called by one thread at a time. */
    public interface Depot<T> {
        /** Takes a batch; an exception fails the futures of its parcels. */
        void deliver(List<T> batch) throws Exception;
    }

    private record Pending<T>(T parcel, CompletableFuture<Integer> done) {
    }

    private final Depot<T> depot;
    private final int batchSize;
    private final ConcurrentLinkedQueue<Pending<T>> pending = new ConcurrentLinkedQueue<>();
    private final AtomicInteger pendingCount = new AtomicInteger();
    private final AtomicBoolean closed = new AtomicBoolean();
    private int batches;

    private BatchCourier(Builder<T> builder) {
        this.depot = builder.depot;
        this.batchSize = builder.batchSize;
    }

    /** Starts building a courier to the given depot. */
    public static <T> Builder<T> to(Depot<T> depot) {
        return new Builder<>(depot);
    }

    /**
     * Hands in a parcel.
     *
     * @return a future completed with the number of the batch that carried the parcel
     * @throws IllegalStateException if the courier has been closed
     */
    public CompletableFuture<Integer> hand(T parcel) {
        Objects.requireNonNull(parcel, "parcel");
        if (closed.get()) {
            throw new IllegalStateException("courier closed");
        }
        Pending<T> entry = new Pending<>(parcel, new CompletableFuture<>());
        pending.add(entry);
        if (pendingCount.incrementAndGet() >= batchSize) {
            flush();
        }
        return entry.done();
    }

    /** Carries everything handed in so far. */
    public synchronized void flush() {
        List<Pending<T>> batch = new ArrayList<>();
        List<T> parcels = new ArrayList<>();
        Pending<T> next;
        while ((next = pending.poll()) != null) {
            pendingCount.decrementAndGet();
            batch.add(next);
            parcels.add(next.parcel());
        }
        if (batch.isEmpty()) {
            return;
        }
        int number = ++batches;
        try {
            depot.deliver(parcels);
            batch.forEach(p -> p.done().complete(number));
        } catch (Exception e) {
            batch.forEach(p -> p.done().completeExceptionally(e));
        }
    }

    /** Carries what is pending and refuses further parcels. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            flush();
        }
    }

    /** Returns the number of parcels waiting. */
    public int pending() {
        return pending.size();
    }

    /** Builds couriers. Not thread-safe. */
    public static final class Builder<T> {
        private final Depot<T> depot;
        private int batchSize = 16;

        private Builder(Depot<T> depot) {
            this.depot = Objects.requireNonNull(depot, "depot");
        }

        /** Sets the number of parcels that makes a batch leave at once. */
        public Builder<T> batchSize(int size) {
            if (size < 1) {
                throw new IllegalArgumentException("batchSize: " + size);
            }
            this.batchSize = size;
            return this;
        }

        /** Creates the courier. */
        public BatchCourier<T> build() {
            return new BatchCourier<>(this);
        }
    }
}
