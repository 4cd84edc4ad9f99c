package net.harborline.routing;

import java.util.List;
import java.util.Objects;

/**
 * A primary endpoint and its standby. On {@link #failover()} the two change roles.
 *
 * <p>The two endpoints are always distinct. The pair is shared by all client threads.
 */
public class FailoverPair {

    private volatile String primary;
    private volatile String standby;
    private volatile int failovers;

    public FailoverPair(String primary, String standby) {
        this.primary = Objects.requireNonNull(primary, "primary");
        this.standby = Objects.requireNonNull(standby, "standby");
        if (primary.equals(standby)) {
            throw new IllegalArgumentException("endpoints must differ");
        }
    }

    /** Lets the two endpoints change roles. */
    public synchronized void failover() {
        String former = primary;
        primary = standby;
        standby = former;
        failovers++;
    }

    /**
     * Lets the two endpoints change roles if the given endpoint is the primary one; that way
     * several clients that see the same outage cause one failover only.
     */
    public synchronized boolean failoverFrom(String endpoint) {
        if (!primary.equals(endpoint)) {
            return false;
        }
        failover();
        return true;
    }

    /** Returns the primary endpoint. */
    public String primary() {
        return primary;
    }

    /** Returns the standby endpoint. */
    public String standby() {
        return standby;
    }

    /** Returns both endpoints in the order in which a client should try them. */
    public List<String> candidates() {
        return List.of(primary, standby);
    }

    /** Returns how often the roles have changed. */
    public int failovers() {
        return failovers;
    }
}
