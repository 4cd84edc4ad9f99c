package lib.ref;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * A resource shared by several users and disposed of when the last of them is done.
 *
 * <p>Creating the object yields a resource with one reference, owned by the creator and given up by
 * {@link #close}. Each {@link #acquire} adds a reference which is given up by closing the returned
 * {@link Handle}. The disposer runs exactly once, in the thread that gives up the last reference.
 *
 * <p>Thread-safe. Handles may be passed between threads; closing a handle (or this object) more than
 * once, from whatever thread, has no further effect.
 *
 * @param <T> type of the resource
 */
public final class SharedResource<T> implements AutoCloseable {
    private final T resource;
    private final Consumer<? super T> disposer;
    private final AtomicInteger references = new AtomicInteger(1);
    private final Handle owner = new Handle();

    /**
     * @param resource the resource to share
     * @param disposer called once with the resource when no reference is left
     */
    public SharedResource(T resource, Consumer<? super T> disposer) {
        this.resource = Objects.requireNonNull(resource);
        this.disposer = Objects.requireNonNull(disposer);
    }

    /**
     * Adds a reference.
     *
     * @throws IllegalStateException if the resource has been disposed of
     */
    public Handle acquire() {
        for (;;) {
            int n = references.get();
            if (n <= 0) {
                throw new IllegalStateException("already disposed of");
            }
            if (references.compareAndSet(n, n + 1)) {
                return new Handle();
            }
        }
    }

    /** Gives up the reference of the creator. */
    @Override
    public void close() {
        owner.close();
    }

    /** Returns the number of references not yet given up. */
    public int references() {
        return references.get();
    }

    /** Returns whether the last reference has been given up. */
    public boolean isDisposed() {
        return references.get() <= 0;
    }

    private void drop() {
        if (references.decrementAndGet() == 0) {
            disposer.accept(resource);
        }
    }

    /** One reference to the shared resource. */
    public final class Handle implements AutoCloseable {
        private volatile boolean open = true;

        private Handle() {
        }

        /**
         * Returns the resource, which stays valid until this handle is closed.
         *
         * @throws IllegalStateException if this handle is closed
         */
        public T get() {
            if (!open) {
                throw new IllegalStateException("handle is closed");
            }
            return resource;
        }

        /** Gives up this reference. */
        @Override
        public void close() {
            if (open) {
                open = false;
                drop();
            }
        }
    }
}
