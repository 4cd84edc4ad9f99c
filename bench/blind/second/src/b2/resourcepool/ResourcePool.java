package b2.resourcepool;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntFunction;

/**
 * A pool with a fixed number of resources, all created in advance.
 *
 * <p>Thread-safe. No resource is lent twice at the same time. It is unspecified which of the idle
 * resources is lent.
 */
public class ResourcePool<R> {
    private final Queue<R> idle = new ConcurrentLinkedQueue<>();
    private final Semaphore permits;

    /** The factory is called with 0, 1, 2 ... and must not return null. */
    public ResourcePool(int size, IntFunction<? extends R> factory) {
        if (size < 1) {
            throw new IllegalArgumentException("size: " + size);
        }
        for (int i = 0; i < size; i++) {
            idle.add(factory.apply(i));
        }
        permits = new Semaphore(size);
    }

    /** Returns a pool with the strings "r0", "r1" ... */
    public static ResourcePool<String> ofNames(int size) {
        return new ResourcePool<>(size, i -> "r" + i);
    }

    /** A borrowed resource. It must not be used after it has been given back. */
    public final class Lease implements AutoCloseable {
        private final R resource;
        private final AtomicBoolean returned = new AtomicBoolean();

        private Lease(R resource) {
            this.resource = resource;
        }

        /** Returns the resource. */
        public R resource() {
            return resource;
        }

        /** Gives the resource back. Doing so again has no effect. */
        @Override
        public void close() {
            if (returned.compareAndSet(false, true)) {
                idle.add(resource);
                permits.release();
            }
        }
    }

    /** Borrows a resource, waiting for one if necessary. */
    public Lease borrow() throws InterruptedException {
        permits.acquire();
        return new Lease(idle.remove());
    }

    /** Borrows a resource; returns null if none is idle. */
    public Lease tryBorrow() {
        return permits.tryAcquire() ? new Lease(idle.remove()) : null;
    }

    /** Borrows a resource; returns null if none became idle in time. */
    public Lease tryBorrow(long timeoutMillis) throws InterruptedException {
        return permits.tryAcquire(timeoutMillis, TimeUnit.MILLISECONDS)
                ? new Lease(idle.remove()) : null;
    }

    /** Returns the number of idle resources. */
    public int idleCount() {
        return permits.availablePermits();
    }
}
