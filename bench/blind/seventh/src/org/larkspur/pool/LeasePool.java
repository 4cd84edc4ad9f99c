package org.larkspur.pool;

import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * A pool of reusable objects. An object is borrowed by means of a {@link Lease} and goes back to
 * the pool when the lease is closed.
 *
 * @param <T> the type of pooled objects
 */
public class LeasePool<T> {

    /**
     * The right to use a pooled object until {@link #close} is called. Closing a lease more than
     * once has no effect.
     *
     * @param <T> the type of pooled objects
     */
    public static final class Lease<T> implements AutoCloseable {

        private final LeasePool<T> pool;
        private final T object;
        private volatile boolean closed;

        Lease(LeasePool<T> pool, T object) {
            this.pool = pool;
            this.object = object;
        }

        /**
         * Returns the object.
         *
         * @throws IllegalStateException if this lease is closed
         */
        public T get() {
            if (closed) {
                throw new IllegalStateException("lease is closed");
            }
            return object;
        }

        /** Returns whether this lease is closed. */
        public boolean isClosed() {
            return closed;
        }

        /** Gives the object back. */
        @Override
        public void close() {
            if (!closed) {
                closed = true;
                pool.giveBack(object);
            }
        }
    }

    private final Queue<T> idle = new ConcurrentLinkedQueue<>();
    private final AtomicInteger created = new AtomicInteger();
    private final Supplier<? extends T> factory;

    /**
     * Creates an empty pool.
     *
     * @param factory makes objects when the pool has none
     */
    public LeasePool(Supplier<? extends T> factory) {
        this.factory = Objects.requireNonNull(factory, "factory");
    }

    /** Borrows an object, creating one if there is no idle one. */
    public Lease<T> borrow() {
        T object = idle.poll();
        if (object == null) {
            object = Objects.requireNonNull(factory.get(), "factory returned null");
            created.incrementAndGet();
        }
        return new Lease<>(this, object);
    }

    /** Returns the number of objects waiting to be borrowed. */
    public int idleCount() {
        return idle.size();
    }

    /** Returns the number of objects created so far. */
    public int createdCount() {
        return created.get();
    }

    private void giveBack(T object) {
        idle.offer(object);
    }
}
