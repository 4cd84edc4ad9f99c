package com.acme.session;

import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Issues random access tokens and remembers whose they are. Thread-safe. A
 * token can be rotated or revoked only once.
 */
public class TokenStore {

    private final ConcurrentMap<String, String> users = new ConcurrentHashMap<>();

    /** Issues a token, different from all others. */
    public String issue(String user) {
        Objects.requireNonNull(user);
        for (;;) {
            String token = UUID.randomUUID().toString();
            if (users.putIfAbsent(token, user) == null) {
                return token;
            }
        }
    }

    /** The user of a token, null if it is not valid. */
    public String verify(String token) {
        return users.get(token);
    }

    /**
     * Replaces a token. The old one is not valid any more when this returns.
     *
     * @return the new token, null if the old one was not valid
     */
    public String rotate(String token) {
        String user = users.remove(token);
        return user == null ? null : issue(user);
    }

    /** Makes a token invalid; false if it was not valid. */
    public boolean revoke(String token) {
        return users.remove(token) != null;
    }

    /**
     * Gives a valid token to another user.
     *
     * @return the user before, null if the token is not valid
     */
    public String reassign(String token, String user) {
        return users.replace(token, Objects.requireNonNull(user));
    }

    /** Number of valid tokens, an estimate while tokens are issued or revoked. */
    public long approximateSize() {
        return ((ConcurrentHashMap<String, String>) users).mappingCount();
    }
}
