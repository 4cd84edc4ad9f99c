package io.tarnwick.session;

import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Knows which sessions each user has open. Users without a session take up no
 * memory.
 *
 * <p>Thread-safe; a session that was opened is listed until it is closed.
 */
public class SessionManager {

    /** Receives a word about users coming and going. */
    public interface PresenceListener {
        void presenceChanged(String user, boolean online);
    }

    private final Map<String, Set<String>> sessionsByUser = new ConcurrentHashMap<>();
    private final PresenceListener presence;

    public SessionManager(PresenceListener presence) {
        this.presence = presence;
    }

    public SessionManager() {
        this(null);
    }

    /**
     * Opens a session.
     *
     * @return false if the user has an open session of that id
     */
    public boolean open(String user, String sessionId) {
        Set<String> sessions =
                sessionsByUser.computeIfAbsent(user, u -> ConcurrentHashMap.newKeySet());
        boolean added = sessions.add(sessionId);
        if (added && presence != null) {
            presence.presenceChanged(user, true);
        }
        return added;
    }

    /**
     * Closes a session.
     *
     * @return false if there was none
     */
    public boolean close(String user, String sessionId) {
        Set<String> sessions = sessionsByUser.get(user);
        if (sessions == null || !sessions.remove(sessionId)) {
            return false;
        }
        if (sessions.isEmpty()) {
            sessionsByUser.remove(user);
            if (presence != null) {
                presence.presenceChanged(user, false);
            }
        }
        return true;
    }

    /** Whether the session is open. */
    public boolean isOpen(String user, String sessionId) {
        Set<String> sessions = sessionsByUser.get(user);
        return sessions != null && sessions.contains(sessionId);
    }

    /** The ids of the user's sessions, sorted; a copy. */
    public Set<String> sessionsOf(String user) {
        Set<String> sessions = sessionsByUser.get(user);
        return sessions == null ? Collections.emptySet() : new TreeSet<>(sessions);
    }

    /** Whether the user has any session. */
    public boolean isOnline(String user) {
        Set<String> sessions = sessionsByUser.get(user);
        return sessions != null && !sessions.isEmpty();
    }
}
