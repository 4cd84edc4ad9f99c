package org.larkspur.buffer;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.function.Consumer;

/**
 * Shares a resource among several holders. The resource is disposed of when the last of them lets
 * go of it.
 *
 * @param <R> the type of the resource
 */
public final class SharedHandle<R> {

    @SuppressWarnings("rawtypes")
    private static final AtomicIntegerFieldUpdater<SharedHandle> HOLDERS =
            AtomicIntegerFieldUpdater.newUpdater(SharedHandle.class, "holders");

    private final R resource;
    private final Consumer<? super R> disposer;

    /** The number of holders, the creator being the first one. */
    private volatile int holders = 1;

    /**
     * Creates a handle with one holder.
     *
     * @param resource the resource
     * @param disposer called when the last holder has let go of the resource
     */
    public SharedHandle(R resource, Consumer<? super R> disposer) {
        this.resource = Objects.requireNonNull(resource, "resource");
        this.disposer = Objects.requireNonNull(disposer, "disposer");
    }

    /**
     * Becomes a holder of the resource.
     *
     * @return false if it is too late since the resource has been given up by all holders
     */
    public boolean tryRetain() {
        for (;;) {
            int current = holders;
            if (current == 0) {
                return false;
            }
            if (current == Integer.MAX_VALUE) {
                throw new IllegalStateException("too many holders");
            }
            if (HOLDERS.compareAndSet(this, current, current + 1)) {
                return true;
            }
        }
    }

    /**
     * Stops being a holder of the resource.
     *
     * @return true if the caller was the last holder
     * @throws IllegalStateException if there are no holders
     */
    public boolean release() {
        int current = holders;
        while (current > 0) {
            if (HOLDERS.compareAndSet(this, current, current - 1)) {
                if (current == 1) {
                    disposer.accept(resource);
                    return true;
                }
                return false;
            }
            current = holders;
        }
        throw new IllegalStateException("released too often");
    }

    /**
     * Returns the resource. To be called by holders.
     *
     * @throws IllegalStateException if there are no holders
     */
    public R get() {
        if (holders == 0) {
            throw new IllegalStateException("resource has been given up");
        }
        return resource;
    }

    /** Returns the number of holders. */
    public int holderCount() {
        return holders;
    }
}
