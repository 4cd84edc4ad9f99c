package net.harborline.routing;

import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Ring of backend addresses from which the proxy picks in turn.
 *
 * <p>The discovery thread and the admin console change the ring while proxy threads pick from it.
 */
public class BackendRing {

    private final CopyOnWriteArrayList<String> backends = new CopyOnWriteArrayList<>();
    private final AtomicInteger cursor = new AtomicInteger();

    public BackendRing() {
    }

    public BackendRing(Collection<String> initial) {
        backends.addAll(initial);
    }

    /** Adds a backend unless it is in the ring already. */
    public boolean add(String backend) {
        return backends.addIfAbsent(Objects.requireNonNull(backend, "backend"));
    }

    /** Takes a backend out of the ring. */
    public boolean remove(String backend) {
        return backends.remove(backend);
    }

    /**
     * Puts another backend at the place of one that is being retired.
     *
     * @return whether the retired backend was in the ring
     */
    public boolean replace(String retired, String successor) {
        Objects.requireNonNull(successor, "successor");
        int position = backends.indexOf(retired);
        if (position < 0) {
            return false;
        }
        backends.set(position, successor);
        return true;
    }

    /** Returns the next backend in turn, or {@code null} if the ring is empty. */
    public String next() {
        Object[] current = backends.toArray();
        if (current.length == 0) {
            return null;
        }
        return (String) current[Math.floorMod(cursor.getAndIncrement(), current.length)];
    }

    /** Returns the backends in ring order. */
    public List<String> backends() {
        return List.copyOf(backends);
    }

    /** Returns the number of backends. */
    public int size() {
        return backends.size();
    }
}
