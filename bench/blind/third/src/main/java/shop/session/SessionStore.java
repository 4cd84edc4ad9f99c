package shop.session;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Holds the sessions of logged-in customers. A session ends when it is not used for some time.
 *
 * <p>Thread-safe. Sessions are immutable values; operations on one session are atomic. A session that
 * has ended never comes back.
 */
public class SessionStore {

    /** The state of a session at some time. */
    public record Session(String id, String customer, long lastUsed, Map<String, String> attributes) {

        public Session {
            attributes = Map.copyOf(attributes);
        }

        private Session usedAt(long time) {
            return new Session(id, customer, Math.max(lastUsed, time), attributes);
        }

        private Session with(String name, String value) {
            Map<String, String> more = new HashMap<>(attributes);
            more.put(name, value);
            return new Session(id, customer, lastUsed, more);
        }
    }

    private final ConcurrentMap<String, Session> sessions = new ConcurrentHashMap<>();
    private final AtomicLong counter = new AtomicLong();
    private final LongSupplier clock;
    private final long timeoutMillis;

    /** Creates a store that uses the system's clock. */
    public SessionStore(long timeoutMillis) {
        this(timeoutMillis, System::currentTimeMillis);
    }

    /**
     * Creates a store.
     *
     * @param timeoutMillis how long a session lives without being used
     * @param clock the time in milliseconds, which should not run backwards
     */
    public SessionStore(long timeoutMillis, LongSupplier clock) {
        if (timeoutMillis < 1) {
            throw new IllegalArgumentException("timeoutMillis: " + timeoutMillis);
        }
        this.timeoutMillis = timeoutMillis;
        this.clock = Objects.requireNonNull(clock, "clock");
    }

    /** Begins a session. */
    public Session create(String customer) {
        Objects.requireNonNull(customer, "customer");
        // the counter makes ids unique, the random part makes them hard to guess
        String id = Long.toString(counter.incrementAndGet(), 36) + "-"
                + Long.toHexString(ThreadLocalRandom.current().nextLong());
        Session session = new Session(id, customer, clock.getAsLong(), Map.of());
        sessions.put(id, session);
        return session;
    }

    /** Finds a session and marks it as used. */
    public Optional<Session> use(String id) {
        return Optional.ofNullable(sessions.computeIfPresent(id, (key, session) -> {
            long now = clock.getAsLong();
            return isOver(session, now) ? null : session.usedAt(now);
        }));
    }

    /** Sets an attribute and marks the session as used; returns its new state, or empty if it has ended. */
    public Optional<Session> setAttribute(String id, String name, String value) {
        return Optional.ofNullable(sessions.computeIfPresent(id, (key, session) -> {
            long now = clock.getAsLong();
            return isOver(session, now) ? null : session.with(name, value).usedAt(now);
        }));
    }

    /** Ends a session; returns its last state if it had not ended before. */
    public Optional<Session> end(String id) {
        Session removed = sessions.remove(id);
        return removed == null || isOver(removed, clock.getAsLong()) ? Optional.empty() : Optional.of(removed);
    }

    /** Removes sessions that have timed out; a session that is used meanwhile stays. */
    public void purge() {
        for (String id : sessions.keySet()) {
            sessions.computeIfPresent(id, (key, session) -> isOver(session, clock.getAsLong()) ? null : session);
        }
    }

    /** Returns an estimate of the number of sessions; those timed out count until they are removed. */
    public int estimatedCount() {
        return sessions.size();
    }

    private boolean isOver(Session session, long now) {
        return now - session.lastUsed() > timeoutMillis;
    }
}
