package com.acme.config;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * Settings that change while the program runs. Each change makes a new
 * immutable snapshot; a reader that needs several settings of the same
 * version takes one {@link #snapshot()}. Thread-safe.
 */
public class LiveConfig {

    /** Settings of one version. */
    public static final class Snapshot {
        private final long version;
        private final Map<String, String> values;

        Snapshot(long version, Map<String, String> values) {
            this.version = version;
            this.values = values;
        }

        public long version() {
            return version;
        }

        public String get(String key) {
            return values.get(key);
        }

        public Map<String, String> asMap() {
            return values;
        }

        @Override
        public String toString() {
            return "v" + version + values;
        }
    }

    private volatile Snapshot current = new Snapshot(0, Map.of());

    /** The settings now. */
    public Snapshot snapshot() {
        return current;
    }

    public String get(String key) {
        return current.get(key);
    }

    public String get(String key, String fallback) {
        String v = current.get(key);
        return v != null ? v : fallback;
    }

    /** Sets one setting and returns the version that has it. */
    public synchronized long set(String key, String value) {
        Objects.requireNonNull(key);
        Objects.requireNonNull(value);
        Map<String, String> m = new HashMap<>(current.values);
        m.put(key, value);
        return publish(m);
    }

    /** Replaces all settings at once. */
    public synchronized long replaceAll(Map<String, String> settings) {
        return publish(settings);
    }

    private long publish(Map<String, String> m) {
        Snapshot next = new Snapshot(current.version + 1, Map.copyOf(m));
        current = next;
        return next.version;
    }

    public long version() {
        return current.version;
    }
}
