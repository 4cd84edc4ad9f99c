package com.acme.lease;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Keeps which node holds a lease. A node gets the lease if it is free, and a
 * supervisor may transfer it by force when the holder is thought dead. A node
 * can only give back a lease it holds itself. Thread-safe.
 */
public class LeaseManager {

    /** A lease with the epoch in which it was granted. */
    public static final class Lease {
        private final String holder;
        private final long epoch;

        Lease(String holder, long epoch) {
            this.holder = holder;
            this.epoch = epoch;
        }

        public String holder() {
            return holder;
        }

        public long epoch() {
            return epoch;
        }
    }

    private static final Lease FREE = new Lease(null, 0);

    private final AtomicReference<Lease> current = new AtomicReference<>(FREE);

    /** Takes the lease if it is free. */
    public boolean acquire(String node) {
        Objects.requireNonNull(node);
        Lease l = current.get();
        return l.holder == null && current.compareAndSet(l, new Lease(node, l.epoch + 1));
    }

    /** Gives the lease to a node no matter who holds it; returns the last holder or null. */
    public String takeOver(String node) {
        Objects.requireNonNull(node);
        for (;;) {
            Lease l = current.get();
            if (current.compareAndSet(l, new Lease(node, l.epoch + 1))) {
                return l.holder;
            }
        }
    }

    /**
     * Gives the lease back.
     *
     * @return false if the node does not hold it
     */
    public boolean release(String node) {
        Lease l = current.get();
        if (!Objects.equals(l.holder, node)) {
            return false;
        }
        current.set(new Lease(null, l.epoch));
        return true;
    }

    /** The node that holds the lease or null. */
    public String holder() {
        return current.get().holder;
    }

    public boolean isHeldBy(String node) {
        return node.equals(current.get().holder);
    }

    /** Number of grants so far. */
    public long epoch() {
        return current.get().epoch;
    }
}
