package org.larkspur.rx;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * A container of {@link AutoCloseable} resources which are released together.
 *
 * <p>Once the container has been closed, every resource handed to {@link #add} is closed
 * immediately. A resource that was accepted by the container is closed exactly once unless it was
 * taken out by {@link #remove} before.
 *
 * <p>This class is thread-safe. All methods may be called from any thread.
 */
public final class CompositeRelease implements AutoCloseable {

    private final Object lock = new Object();

    /** Created on first use, {@code null} when there is nothing to release. */
    private Set<AutoCloseable> resources;

    private volatile boolean closed;

    /** Creates an empty container. */
    public CompositeRelease() {
    }

    /**
     * Adds a resource, or closes it at once if this container has been closed.
     *
     * @param resource the resource, not null
     * @return true if the resource is now managed by this container
     */
    public boolean add(AutoCloseable resource) {
        Objects.requireNonNull(resource, "resource");
        if (closed) {
            closeQuietly(resource);
            return false;
        }
        synchronized (lock) {
            Set<AutoCloseable> set = resources;
            if (set == null) {
                set = Collections.newSetFromMap(new IdentityHashMap<>());
                resources = set;
            }
            set.add(resource);
        }
        return true;
    }

    /**
     * Takes a resource out of this container without closing it.
     *
     * @param resource the resource
     * @return true if the resource was managed by this container
     */
    public boolean remove(AutoCloseable resource) {
        Objects.requireNonNull(resource, "resource");
        synchronized (lock) {
            return resources != null && resources.remove(resource);
        }
    }

    /** Returns the number of resources currently managed. */
    public int size() {
        synchronized (lock) {
            return resources == null ? 0 : resources.size();
        }
    }

    /** Returns whether {@link #close} has been called. */
    public boolean isClosed() {
        return closed;
    }

    /** Closes all managed resources. Calls after the first one have no effect. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        List<AutoCloseable> victims;
        synchronized (lock) {
            if (closed) {
                return;
            }
            closed = true;
            victims = resources == null ? List.of() : new ArrayList<>(resources);
            resources = null;
        }
        for (AutoCloseable victim : victims) {
            closeQuietly(victim);
        }
    }

    private static void closeQuietly(AutoCloseable resource) {
        try {
            resource.close();
        } catch (Exception ignored) {
            // closing is best effort
        }
    }
}
