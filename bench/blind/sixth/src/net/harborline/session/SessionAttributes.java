package net.harborline.session;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * Attributes of a user session. Requests of one session may run in parallel, therefore all methods
 * are safe for use by several threads.
 */
public class SessionAttributes {

    private final String sessionId;
    private final Map<String, String> attributes = new HashMap<>();
    private int changes;

    public SessionAttributes(String sessionId) {
        this.sessionId = Objects.requireNonNull(sessionId, "sessionId");
    }

    /**
     * Sets an attribute.
     *
     * @return the previous value or {@code null}
     */
    public synchronized String put(String name, String value) {
        Objects.requireNonNull(name, "name");
        changes++;
        return attributes.put(name, value);
    }

    /** Removes an attribute and returns its value, or {@code null} if there was none. */
    public synchronized String remove(String name) {
        changes++;
        return attributes.remove(name);
    }

    /** Returns the value of an attribute or {@code null}. */
    public synchronized String get(String name) {
        return attributes.get(name);
    }

    /** Returns all attributes, for reading only. */
    public synchronized Map<String, String> all() {
        return Collections.unmodifiableMap(attributes);
    }

    /** Returns the number of changes made to this session. */
    public synchronized int changes() {
        return changes;
    }

    /**
     * Renders the session for the support log, for example {@code s-17[lang=en cart=4]}.
     */
    public String describe() {
        StringBuilder text = new StringBuilder(sessionId).append('[');
        String separator = "";
        for (Map.Entry<String, String> entry : all().entrySet()) {
            text.append(separator).append(entry.getKey()).append('=').append(entry.getValue());
            separator = " ";
        }
        return text.append(']').toString();
    }
}
