package io.tarnwick.lease;

import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;

/**
 * Hands out named leases. A lease belongs to one owner until the owner releases
 * it or its time to live has run out, whichever comes first. At any time a
 * resource has at most one owner.
 *
 * <p>Instances are safe for use by several threads.
 */
public class LeaseManager {

    private static final class Lease {
        final String owner;
        final long expiresAt;

        Lease(String owner, long expiresAt) {
            this.owner = owner;
            this.expiresAt = expiresAt;
        }

        boolean liveAt(long now) {
            return now < expiresAt;
        }
    }

    private final ConcurrentHashMap<String, Lease> leases = new ConcurrentHashMap<>();
    private final LongSupplier clock;

    public LeaseManager() {
        this(System::currentTimeMillis);
    }

    /** @param clock the time in milliseconds */
    public LeaseManager(LongSupplier clock) {
        this.clock = Objects.requireNonNull(clock, "clock");
    }

    /**
     * Tries to lease the resource.
     *
     * @return true if the caller's owner name now holds the lease anew
     */
    public boolean acquire(String resource, String owner, long ttlMillis) {
        AtomicBoolean granted = new AtomicBoolean();
        leases.compute(resource, (name, present) -> {
            long now = clock.getAsLong();
            if (present != null && present.liveAt(now)) {
                return present;
            }
            granted.set(true);
            return new Lease(owner, now + ttlMillis);
        });
        return granted.get();
    }

    /** Prolongs a lease that the owner still holds. */
    public boolean renew(String resource, String owner, long ttlMillis) {
        AtomicBoolean renewed = new AtomicBoolean();
        leases.computeIfPresent(resource, (name, present) -> {
            long now = clock.getAsLong();
            if (!present.owner.equals(owner) || !present.liveAt(now)) {
                return present;
            }
            renewed.set(true);
            return new Lease(owner, now + ttlMillis);
        });
        return renewed.get();
    }

    /**
     * Gives the lease up.
     *
     * @return false if the owner does not hold it; the lease of another owner is left alone
     */
    public boolean release(String resource, String owner) {
        Lease present = leases.get(resource);
        if (present == null || !present.owner.equals(owner)
                || !present.liveAt(clock.getAsLong())) {
            return false;
        }
        leases.remove(resource);
        return true;
    }

    /** Who holds the lease now. */
    public Optional<String> holder(String resource) {
        Lease present = leases.get(resource);
        if (present == null || !present.liveAt(clock.getAsLong())) {
            return Optional.empty();
        }
        return Optional.of(present.owner);
    }
}
