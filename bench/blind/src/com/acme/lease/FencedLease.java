package com.acme.lease;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A lease with fencing tokens. Each grant has a greater token than the one
 * before; only the newest token is valid, and only until the lease is given
 * back or taken over. Lock-free and thread-safe.
 */
public class FencedLease {

    /** Returned when the lease is not granted. */
    public static final long NOT_GRANTED = -1;

    private static final class Grant {
        final long token;
        final String holder;

        Grant(long token, String holder) {
            this.token = token;
            this.holder = holder;
        }
    }

    private final AtomicReference<Grant> grant = new AtomicReference<>(new Grant(0, null));

    /** Takes the lease if it is free; returns its token or {@link #NOT_GRANTED}. */
    public long tryAcquire(String node) {
        Objects.requireNonNull(node);
        for (;;) {
            Grant g = grant.get();
            if (g.holder != null) {
                return NOT_GRANTED;
            }
            Grant next = new Grant(g.token + 1, node);
            if (grant.compareAndSet(g, next)) {
                return next.token;
            }
        }
    }

    /** Takes the lease from whoever holds it; returns the new token. */
    public long takeOver(String node) {
        Objects.requireNonNull(node);
        return grant.updateAndGet(g -> new Grant(g.token + 1, node)).token;
    }

    /**
     * Gives the lease back.
     *
     * @return false if the token is not valid (any more)
     */
    public boolean release(long token) {
        for (;;) {
            Grant g = grant.get();
            if (g.token != token || g.holder == null) {
                return false;
            }
            if (grant.compareAndSet(g, new Grant(token, null))) {
                return true;
            }
        }
    }

    /** Whether the token is that of the holder. */
    public boolean isValid(long token) {
        Grant g = grant.get();
        return g.holder != null && g.token == token;
    }

    /** The holder or null. */
    public String holder() {
        return grant.get().holder;
    }
}
