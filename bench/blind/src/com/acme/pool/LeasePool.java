package com.acme.pool;

import java.util.ArrayDeque;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * A pool of at most {@code capacity} resources, created when needed by a
 * factory that is called outside of the pool's lock.
 *
 * <p>Thread-safe. A resource counts as lent from the moment its creation
 * begins; if the factory fails, its place is free again. Borrowing that began
 * before {@link #close()} may still succeed; the resource is then dropped when
 * it is given back.
 */
public class LeasePool<T> implements AutoCloseable {

    /** A borrowed resource; closing it more than once has no effect. */
    public final class Lease implements AutoCloseable {
        private final T resource;
        private boolean returned;

        private Lease(T resource) {
            this.resource = resource;
        }

        public T get() {
            return resource;
        }

        @Override
        public void close() {
            lock.lock();
            try {
                if (returned) {
                    return;
                }
                returned = true;
                lent--;
                if (!closed) {
                    idle.addFirst(resource);
                    free.signal();
                }
            } finally {
                lock.unlock();
            }
        }
    }

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition free = lock.newCondition();
    private final ArrayDeque<T> idle = new ArrayDeque<>();
    private final Supplier<? extends T> factory;
    private final int capacity;
    private int lent;
    private boolean closed;

    public LeasePool(Supplier<? extends T> factory, int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException("capacity: " + capacity);
        }
        this.factory = Objects.requireNonNull(factory);
        this.capacity = capacity;
    }

    /**
     * Borrows a resource, waiting up to the given time.
     *
     * @return null if the time ran out
     * @throws IllegalStateException if the pool is closed
     */
    public Lease borrow(long timeout, TimeUnit unit) throws InterruptedException {
        long nanos = unit.toNanos(timeout);
        T resource;
        lock.lockInterruptibly();
        try {
            for (;;) {
                if (closed) {
                    throw new IllegalStateException("closed");
                }
                if (lent < capacity) {
                    break;
                }
                if (nanos <= 0) {
                    return null;
                }
                nanos = free.awaitNanos(nanos);
            }
            lent++;
            resource = idle.pollFirst();
        } finally {
            lock.unlock();
        }
        return new Lease(resource != null ? resource : create());
    }

    /** Borrows a resource or returns null at once if all are lent. */
    public Lease tryBorrow() throws InterruptedException {
        return borrow(0, TimeUnit.NANOSECONDS);
    }

    private T create() {
        boolean ok = false;
        try {
            T t = Objects.requireNonNull(factory.get(), "factory returned null");
            ok = true;
            return t;
        } finally {
            if (!ok) {
                lock.lock();
                try {
                    lent--;
                    free.signal();
                } finally {
                    lock.unlock();
                }
            }
        }
    }

    /** Number of resources lent. */
    public int lent() {
        lock.lock();
        try {
            return lent;
        } finally {
            lock.unlock();
        }
    }

    /** Refuses further borrowing and wakes those who wait. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            idle.clear();
            free.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
