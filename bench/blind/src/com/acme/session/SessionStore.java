package com.acme.session;

import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Keeps the sessions of logged-in users in memory. All methods are
 * thread-safe; once {@link #invalidate} has returned true for a session, no
 * request finds it any more.
 */
public class SessionStore {

    /** An immutable session. */
    public static final class Session {
        private final String id;
        private final String user;
        private final int requests;

        Session(String id, String user, int requests) {
            this.id = id;
            this.user = user;
            this.requests = requests;
        }

        public String id() {
            return id;
        }

        public String user() {
            return user;
        }

        public int requests() {
            return requests;
        }

        Session touched() {
            return new Session(id, user, requests + 1);
        }
    }

    private final ConcurrentMap<String, Session> sessions = new ConcurrentHashMap<>();

    /**
     * Starts a session.
     *
     * @return false if there is one with this id
     */
    public boolean create(String id, String user) {
        Objects.requireNonNull(user);
        return sessions.putIfAbsent(id, new Session(id, user, 0)) == null;
    }

    /**
     * Notes a request of a session.
     *
     * @return false if there is no such session
     */
    public boolean touch(String id) {
        Session s = sessions.get(id);
        if (s == null) {
            return false;
        }
        sessions.put(id, s.touched());
        return true;
    }

    /** Ends a session; false if there is none with this id. */
    public boolean invalidate(String id) {
        return sessions.remove(id) != null;
    }

    public boolean isActive(String id) {
        return sessions.containsKey(id);
    }

    /** User of a session or null. */
    public String userOf(String id) {
        Session s = sessions.get(id);
        return s == null ? null : s.user();
    }

    /** Requests of a session, -1 if there is no such session. */
    public int requests(String id) {
        Session s = sessions.get(id);
        return s == null ? -1 : s.requests();
    }
}
