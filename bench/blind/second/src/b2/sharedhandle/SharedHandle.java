package b2.sharedhandle;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A handle of a native resource with a reference count. The creator holds the first reference. When
 * the last one is released, the resource is disposed of and cannot be retained again.
 *
 * <p>Thread-safe.
 */
public class SharedHandle {
    private final AtomicInteger references = new AtomicInteger(1);
    private final Runnable disposer;
    private volatile boolean disposed;

    public SharedHandle() {
        this(() -> { });
    }

    /** The disposer is run once, by the thread that releases the last reference. */
    public SharedHandle(Runnable disposer) {
        this.disposer = Objects.requireNonNull(disposer);
    }

    /**
     * Adds a reference. The resource stays alive until it is released.
     *
     * @return the number of references, including the new one
     * @throws IllegalStateException if the resource has been disposed of
     */
    public int retain() {
        if (references.get() <= 0) {
            throw new IllegalStateException("disposed");
        }
        return references.incrementAndGet();
    }

    /**
     * Releases a reference.
     *
     * @return true if it was the last one
     * @throws IllegalStateException if there are no references
     */
    public boolean release() {
        while (true) {
            int n = references.get();
            if (n <= 0) {
                throw new IllegalStateException("disposed");
            }
            if (references.compareAndSet(n, n - 1)) {
                if (n == 1) {
                    disposed = true;
                    disposer.run();
                    return true;
                }
                return false;
            }
        }
    }

    /** Returns the number of references. */
    public int references() {
        return references.get();
    }

    /**
     * Tells whether the disposal of the resource has begun, which happens soon after the last
     * reference was released and before that {@link #release()} returns.
     */
    public boolean isDisposed() {
        return disposed;
    }
}
