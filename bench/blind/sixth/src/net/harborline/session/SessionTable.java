package net.harborline.session;

import java.util.Map;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.LongSupplier;

/**
 * Table of the sessions of a node. A session that is not used for the idle time expires.
 *
 * <p>Operations on one session are atomic. {@link #users()} and {@link #sweep()} walk through the
 * table in a weakly consistent manner: sessions opened, used or closed meanwhile may or may not be
 * considered. All methods may be called from any thread.
 */
public class SessionTable {

    /** State of a session; a new one takes its place with every use. */
    public record Session(String id, String user, long lastUsed, int uses) {

        private Session usedAt(long now) {
            return new Session(id, user, Math.max(now, lastUsed), uses + 1);
        }
    }

    private final long idleMillis;
    private final LongSupplier clock;
    private final ConcurrentMap<String, Session> sessions = new ConcurrentHashMap<>();

    public SessionTable(long idleMillis) {
        this(idleMillis, System::currentTimeMillis);
    }

    /**
     * Creates an empty table.
     *
     * @param clock supplies the time in milliseconds, must be safe for use by several threads
     */
    public SessionTable(long idleMillis, LongSupplier clock) {
        this.idleMillis = idleMillis;
        this.clock = Objects.requireNonNull(clock, "clock");
    }

    /**
     * Opens a session.
     *
     * @return {@code false} if there is one of that id in the table, expired or not
     */
    public boolean open(String id, String user) {
        Objects.requireNonNull(user, "user");
        Session session = new Session(id, user, clock.getAsLong(), 0);
        return sessions.putIfAbsent(id, session) == null;
    }

    /** Notes the use of a session. Returns its new state, or {@code null} if there is none. */
    public Session use(String id) {
        long now = clock.getAsLong();
        return sessions.computeIfPresent(id, (k, s) -> isExpired(s, now) ? null : s.usedAt(now));
    }

    /**
     * Closes a session.
     *
     * @return whether there was one, expired or not
     */
    public boolean close(String id) {
        return sessions.remove(id) != null;
    }

    /** Removes expired sessions and returns how many have been removed. */
    public int sweep() {
        long now = clock.getAsLong();
        int removed = 0;
        for (Map.Entry<String, Session> entry : sessions.entrySet()) {
            Session session = entry.getValue();
            if (isExpired(session, now) && sessions.remove(entry.getKey(), session)) {
                removed++;
            }
        }
        return removed;
    }

    /** Returns the users of the sessions in the table, sorted. */
    public SortedSet<String> users() {
        SortedSet<String> users = new TreeSet<>();
        for (Session session : sessions.values()) {
            users.add(session.user());
        }
        return users;
    }

    private boolean isExpired(Session session, long now) {
        return now - session.lastUsed() > idleMillis;
    }
}
