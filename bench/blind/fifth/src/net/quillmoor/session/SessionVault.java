package net.quillmoor.session;

import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Keeps the attributes of user sessions until they expire.
 *
 * <p>Thread-safe. Expired sessions are never returned; they are dropped when somebody asks for them
 * or when {@link #sweep()} is called. A saved session can be found until it expires or is dropped.
 */
public final class SessionVault {

    /** Tells the time. */
    @FunctionalInterface
    public interface Clock {
        /** Returns the current time in milliseconds. */
        long now();
    }

    private record Stored(Map<String, String> attributes, long expiresAt) {
        boolean expiredAt(long now) {
            return expiresAt <= now;
        }
    }

    private final Map<String, Stored> sessions = new ConcurrentHashMap<>();
    private final Clock clock;

    /** Creates an empty vault. */
    public SessionVault(Clock clock) {
        this.clock = Objects.requireNonNull(clock, "clock");
    }

    /**
     * Saves a session, replacing what was saved before.
     *
     * @param id the session id
     * @param attributes what to keep; copied
     * @param ttlMillis how long to keep it; a session with a time of zero expires at once
     */
    public void save(String id, Map<String, String> attributes, long ttlMillis) {
        if (ttlMillis < 0) {
            throw new IllegalArgumentException("ttlMillis: " + ttlMillis);
        }
        sessions.put(id, new Stored(Map.copyOf(attributes), clock.now() + ttlMillis));
    }

    /** Returns the attributes of a session unless it has expired. */
    public Optional<Map<String, String>> find(String id) {
        Stored stored = sessions.get(id);
        if (stored == null) {
            return Optional.empty();
        }
        if (stored.expiredAt(clock.now())) {
            sessions.remove(id);
            return Optional.empty();
        }
        return Optional.of(stored.attributes());
    }

    /** Drops a session; returns whether it was there and had not expired. */
    public boolean drop(String id) {
        Stored stored = sessions.remove(id);
        return stored != null && !stored.expiredAt(clock.now());
    }

    /**
     * Drops all expired sessions.
     *
     * @return the number of sessions dropped
     */
    public int sweep() {
        long now = clock.now();
        int dropped = 0;
        for (Map.Entry<String, Stored> entry : sessions.entrySet()) {
            Stored stored = entry.getValue();
            if (stored.expiredAt(now) && sessions.remove(entry.getKey(), stored)) {
                dropped++;
            }
        }
        return dropped;
    }

    /** Returns the number of sessions held, including expired ones not dropped yet. */
    public int size() {
        return sessions.size();
    }
}
