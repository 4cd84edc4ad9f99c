package net.quillmoor.registry;

import java.net.URI;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Names the endpoints of the services of a cluster.
 *
 * <p>This class is thread-safe. A name belongs to the endpoint that registered it first, until that
 * is removed: of several callers registering the same free name at once, exactly one succeeds.
 */
public final class EndpointRegistry {

    /** Rules on registrations and is told about them. Implementations must be thread-safe. */
    public interface Steward {
        /** Tells whether the endpoint may be registered under the name. */
        boolean admits(String name, URI endpoint);

        /** Called after a successful registration. */
        void registered(String name, URI endpoint);

        /** Called after a removal. */
        void removed(String name, URI endpoint);
    }

    /** What became of a registration. */
    public enum Result {
        /** The name now belongs to the endpoint. */
        REGISTERED,
        /** The name belongs to another endpoint. */
        NAME_TAKEN,
        /** The steward refused. */
        REFUSED
    }

    private final Map<String, URI> endpoints = new ConcurrentHashMap<>();
    private final Steward steward;

    /** Creates an empty registry. */
    public EndpointRegistry(Steward steward) {
        this.steward = Objects.requireNonNull(steward, "steward");
    }

    /** Registers an endpoint under a name. */
    public Result register(String name, URI endpoint) {
        Objects.requireNonNull(endpoint, "endpoint");
        if (endpoints.containsKey(name)) {
            return Result.NAME_TAKEN;
        }
        if (!steward.admits(name, endpoint)) {
            return Result.REFUSED;
        }
        endpoints.put(name, endpoint);
        steward.registered(name, endpoint);
        return Result.REGISTERED;
    }

    /** Removes a name; returns whether it was registered. */
    public boolean remove(String name) {
        URI gone = endpoints.remove(name);
        if (gone == null) {
            return false;
        }
        steward.removed(name, gone);
        return true;
    }

    /** Returns the endpoint of a name. */
    public Optional<URI> lookup(String name) {
        return Optional.ofNullable(endpoints.get(name));
    }

    /** Returns a sorted copy of the names; weakly consistent under concurrent registrations. */
    public Set<String> names() {
        return new TreeSet<>(endpoints.keySet());
    }
}
