package net.harborline.startup;

import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Holds back traffic until all components of a node have warmed up.
 *
 * <p>Each component reports itself with {@link #ready(String)}; connectors call
 * {@link #awaitReady()} before they open their ports.
 */
public class WarmupGate {

    private final Set<String> pending = ConcurrentHashMap.newKeySet();
    private final Object monitor = new Object();

    /**
     * Creates a gate.
     *
     * @param components names of the components to wait for
     */
    public WarmupGate(Collection<String> components) {
        pending.addAll(components);
    }

    /**
     * Reports that a component has warmed up. Unknown names and repeated reports are ignored.
     */
    public void ready(String component) {
        if (!pending.remove(component)) {
            return;
        }
        if (pending.isEmpty()) {
            synchronized (monitor) {
                monitor.notifyAll();
            }
        }
    }

    /**
     * Waits until every component is ready. Returns at once if that is so already.
     */
    public void awaitReady() throws InterruptedException {
        while (!pending.isEmpty()) {
            synchronized (monitor) {
                monitor.wait();
            }
        }
    }

    /** Tells whether every component is ready. */
    public boolean isReady() {
        return pending.isEmpty();
    }

    /** Returns the names of the components that have not reported yet, sorted. */
    public Set<String> missing() {
        return new TreeSet<>(pending);
    }
}
