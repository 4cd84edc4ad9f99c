package dev.harrow.svc.session;

import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;

/**
 * Sessions of signed-in users. A session ends when it is closed or has not been touched for longer
 * than the idle limit; {@link #sweep()} reclaims the memory of ended sessions.
 */
public final class SessionStore {

    private final ConcurrentMap<String, Session> sessions = new ConcurrentHashMap<>();
    private final long idleMillis;
    private final LongSupplier clock;

    public SessionStore(long idleMillis) {
        this(idleMillis, () -> System.nanoTime() / 1_000_000);
    }

    /** Creates a store on a monotonic millisecond clock. */
    public SessionStore(long idleMillis, LongSupplier clock) {
        if (idleMillis < 0) {
            throw new IllegalArgumentException("idleMillis: " + idleMillis);
        }
        this.idleMillis = idleMillis;
        this.clock = Objects.requireNonNull(clock);
    }

    /** Opens a session and returns its id. */
    public String open(String user) {
        Objects.requireNonNull(user);
        String id = UUID.randomUUID().toString();
        sessions.put(id, new Session(user, clock.getAsLong()));
        return id;
    }

    /** Keeps a session from going idle; returns {@code false} if it has ended. */
    public boolean touch(String id) {
        return sessions.computeIfPresent(id, (k, session) -> {
            long now = clock.getAsLong();
            return isIdle(session, now) ? null : new Session(session.user, now);
        }) != null;
    }

    /** The user of a session that has not ended. */
    public Optional<String> user(String id) {
        AtomicReference<String> user = new AtomicReference<>();
        sessions.computeIfPresent(id, (k, session) -> {
            if (isIdle(session, clock.getAsLong())) {
                return null;
            }
            user.set(session.user);
            return session;
        });
        return Optional.ofNullable(user.get());
    }

    /** Ends a session; returns {@code false} if it had ended already. */
    public boolean close(String id) {
        AtomicBoolean live = new AtomicBoolean();
        sessions.computeIfPresent(id, (k, session) -> {
            live.set(!isIdle(session, clock.getAsLong()));
            return null;
        });
        return live.get();
    }

    /** Forgets sessions that have gone idle. */
    public void sweep() {
        long now = clock.getAsLong();
        for (Map.Entry<String, Session> entry : sessions.entrySet()) {
            Session session = entry.getValue();
            if (isIdle(session, now)) {
                sessions.remove(entry.getKey(), session);
            }
        }
    }

    private boolean isIdle(Session session, long now) {
        return now - session.touchedAt > idleMillis;
    }

    private record Session(String user, long touchedAt) {
    }
}
