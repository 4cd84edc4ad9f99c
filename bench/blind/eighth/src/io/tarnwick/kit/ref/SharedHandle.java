package io.tarnwick.kit.ref;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * A resource with a reference count. It begins with one reference, held by its
 * creator; when the last one is released the resource is disposed of, once.
 *
 * <p>Thread-safe. The disposer runs in the thread that releases the last reference.
 *
 * @param <T> the resource
 */
public class SharedHandle<T> {

    private final AtomicInteger references = new AtomicInteger(1);
    private final Consumer<? super T> disposer;
    private final T resource;

    public SharedHandle(T resource, Consumer<? super T> disposer) {
        this.resource = Objects.requireNonNull(resource, "resource");
        this.disposer = Objects.requireNonNull(disposer, "disposer");
    }

    /**
     * The resource. To be called by holders of a reference only.
     *
     * @throws IllegalStateException if there is no reference any more
     */
    public T get() {
        if (references.get() == 0) {
            throw new IllegalStateException("disposed");
        }
        return resource;
    }

    /**
     * Adds a reference.
     *
     * @throws IllegalStateException if there is none any more
     */
    public SharedHandle<T> retain() {
        if (!tryRetain()) {
            throw new IllegalStateException("disposed");
        }
        return this;
    }

    /** Adds a reference unless there is none any more. */
    public boolean tryRetain() {
        int count = references.get();
        while (count != 0) {
            if (references.compareAndSet(count, Math.addExact(count, 1))) {
                return true;
            }
            count = references.get();
        }
        return false;
    }

    /**
     * Releases a reference.
     *
     * @return whether it was the last
     * @throws IllegalStateException if there is none any more
     */
    public boolean release() {
        int count;
        do {
            count = references.get();
            if (count == 0) {
                throw new IllegalStateException("released too often");
            }
        } while (!references.compareAndSet(count, count - 1));
        if (count == 1) {
            disposer.accept(resource);
            return true;
        }
        return false;
    }

    /** The number of references at the moment. */
    public int references() {
        return references.get();
    }
}
