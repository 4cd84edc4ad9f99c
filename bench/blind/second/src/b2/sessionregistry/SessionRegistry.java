package b2.sessionregistry;

import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Keeps track of the open sessions, at most one per user.
 *
 * <p>This class is thread-safe. If several threads open a session for the same user, exactly one
 * of them gets {@code true}, until the session has been closed again.
 */
public class SessionRegistry {
    private final Map<String, Session> sessions = new ConcurrentHashMap<>();
    private final AtomicLong numbers = new AtomicLong();

    /**
     * Opens a session for the user.
     *
     * @return true if the session was opened by this call, false if the user has one already
     */
    public boolean open(String user) {
        Objects.requireNonNull(user, "user");
        if (sessions.containsKey(user)) {
            return false;
        }
        sessions.put(user, new Session(user, numbers.incrementAndGet()));
        return true;
    }

    /**
     * Closes the user's session.
     *
     * @return true if there was one
     */
    public boolean close(String user) {
        return sessions.remove(user) != null;
    }

    /** Tells whether the user has an open session. */
    public boolean isOpen(String user) {
        return sessions.containsKey(user);
    }

    /** Returns the user's session, or null. The numbers of sessions are unique. */
    public Session find(String user) {
        return sessions.get(user);
    }
}
