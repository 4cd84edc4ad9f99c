package lib.pool;

import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A pool that leases out at most a given number of objects at a time and creates them on demand.
 *
 * <p>Thread-safe. An object belongs to one open lease at most. Closing a lease is idempotent and may be
 * done by any thread. If the factory fails, its exception reaches the caller and the pool is as
 * before. After {@link #close} no new calls of acquire succeed; one that overlaps with it may. Leases
 * open at that time stay usable, and their objects are destroyed when they are closed.
 *
 * @param <T> type of the pooled objects
 */
public final class LeasePool<T> implements AutoCloseable {
    private final Semaphore permits;
    private final Queue<T> idle = new ConcurrentLinkedQueue<>();
    private final Supplier<? extends T> factory;
    private final Consumer<? super T> destroyer;
    private volatile boolean closed;

    /**
     * @param max greatest number of leases open at the same time
     * @param factory creates an object; must be safe for use by several threads
     * @param destroyer called once for each object when it is no longer needed; must not throw
     */
    public LeasePool(int max, Supplier<? extends T> factory, Consumer<? super T> destroyer) {
        if (max < 1) {
            throw new IllegalArgumentException("max: " + max);
        }
        this.permits = new Semaphore(max);
        this.factory = Objects.requireNonNull(factory);
        this.destroyer = Objects.requireNonNull(destroyer);
    }

    /**
     * Leases an object if one is available without waiting.
     *
     * @throws IllegalStateException if the pool is closed
     */
    public Optional<Lease> tryAcquire() {
        checkOpen();
        return permits.tryAcquire() ? Optional.of(lease()) : Optional.empty();
    }

    /**
     * Leases an object, waiting for one up to the given time.
     *
     * @return the lease, or empty if the time has elapsed
     * @throws IllegalStateException if the pool is closed
     */
    public Optional<Lease> acquire(long timeout, TimeUnit unit) throws InterruptedException {
        checkOpen();
        return permits.tryAcquire(timeout, unit) ? Optional.of(lease()) : Optional.empty();
    }

    /** Destroys all idle objects and refuses further leases; has no effect when repeated. */
    @Override
    public void close() {
        closed = true;
        destroyIdle();
    }

    /** Returns how many further leases were available at the moment of the call. */
    public int available() {
        return permits.availablePermits();
    }

    private Lease lease() {
        boolean done = false;
        try {
            checkOpen();
            T object = idle.poll();
            if (object == null) {
                object = Objects.requireNonNull(factory.get(), "factory returned null");
            }
            Lease lease = new Lease(object);
            done = true;
            return lease;
        } finally {
            if (!done) {
                permits.release();
            }
        }
    }

    private void checkOpen() {
        if (closed) {
            throw new IllegalStateException("pool is closed");
        }
    }

    private void giveBack(T object) {
        try {
            idle.add(object);
            if (closed) {
                destroyIdle();
            }
        } finally {
            permits.release();
        }
    }

    private void destroyIdle() {
        for (T object = idle.poll(); object != null; object = idle.poll()) {
            destroyer.accept(object);
        }
    }

    /** The right to use one object until closed. */
    public final class Lease implements AutoCloseable {
        private final T object;
        private final AtomicBoolean returned = new AtomicBoolean();

        private Lease(T object) {
            this.object = object;
        }

        /** Returns the leased object; must not be used after this lease is closed. */
        public T get() {
            if (returned.get()) {
                throw new IllegalStateException("lease is closed");
            }
            return object;
        }

        /** Returns the object to the pool. */
        @Override
        public void close() {
            if (returned.compareAndSet(false, true)) {
                giveBack(object);
            }
        }
    }
}
