package shop.coordination;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import shop.common.Service;

/**
 * Grants leases on named resources. A resource is leased to one owner at a time; whoever wants it
 * meanwhile waits or comes back later. Leases carry a number that grows with every grant, so that
 * downstream systems can recognize outdated ones.
 *
 * <p>This service is thread-safe.
 */
@Service
public class LeaseManager {

    /** The right to use a resource. */
    public record Lease(String resource, String owner, long number) {
    }

    private final Map<String, Lease> granted = new HashMap<>();
    private long lastNumber;

    /**
     * Leases a resource, waiting until it is free.
     *
     * @throws InterruptedException if the thread is interrupted while waiting
     */
    public synchronized Lease acquire(String resource, String owner) throws InterruptedException {
        requireNames(resource, owner);
        if (granted.containsKey(resource)) {
            wait();
        }
        return grant(resource, owner);
    }

    /** Leases a resource if it is free. */
    public synchronized Optional<Lease> tryAcquire(String resource, String owner) {
        requireNames(resource, owner);
        if (granted.containsKey(resource)) {
            return Optional.empty();
        }
        return Optional.of(grant(resource, owner));
    }

    /**
     * Ends a lease.
     *
     * @return false if the lease is not in force
     */
    public synchronized boolean release(Lease lease) {
        if (!granted.remove(lease.resource(), lease)) {
            return false;
        }
        notifyAll();
        return true;
    }

    /** Tells whether a lease is in force. */
    public synchronized boolean isValid(Lease lease) {
        return lease.equals(granted.get(lease.resource()));
    }

    /** Returns the owner of a resource, if it is leased. */
    public synchronized Optional<String> owner(String resource) {
        return Optional.ofNullable(granted.get(resource)).map(Lease::owner);
    }

    /** Returns the number of leases in force. */
    public synchronized int leaseCount() {
        return granted.size();
    }

    private Lease grant(String resource, String owner) {
        Lease lease = new Lease(resource, owner, ++lastNumber);
        granted.put(resource, lease);
        return lease;
    }

    private static void requireNames(String resource, String owner) {
        Objects.requireNonNull(resource, "resource");
        Objects.requireNonNull(owner, "owner");
    }
}
