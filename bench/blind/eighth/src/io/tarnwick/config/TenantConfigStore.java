package io.tarnwick.config;

import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Settings of a tenant. Reading is frequent and free of locks, changing is rare.
 *
 * <p>Thread-safe. A change of several settings by {@link #apply} becomes visible as a
 * whole. Observers run in the changing thread after the change; those of changes made
 * at the same time may run in any order.
 */
public class TenantConfigStore {

    /** Is told that settings were changed. */
    public interface Observer {
        void changed(Map<String, String> settings);
    }

    private final List<Observer> observers = new CopyOnWriteArrayList<>();
    private volatile Map<String, String> settings = Collections.emptyMap();

    /** The value of a setting, or the fallback. */
    public String get(String name, String fallback) {
        String value = settings.get(name);
        return value != null ? value : fallback;
    }

    /** The value of a setting as a number, or the fallback. */
    public int getInt(String name, int fallback) {
        Map<String, String> current = settings;
        return current.containsKey(name) ? Integer.parseInt(current.get(name)) : fallback;
    }

    /** All settings as they are now; later changes do not show in the result. */
    public Map<String, String> snapshot() {
        return settings;
    }

    /** Changes one setting; null removes it. */
    public void set(String name, String value) {
        apply(Collections.singletonMap(name, value));
    }

    /** Changes several settings at once; null values remove. */
    public void apply(Map<String, String> changes) {
        Map<String, String> changed;
        synchronized (this) {
            Map<String, String> copy = new HashMap<>(settings);
            for (Map.Entry<String, String> e : changes.entrySet()) {
                if (e.getValue() == null) {
                    copy.remove(e.getKey());
                } else {
                    copy.put(e.getKey(), e.getValue());
                }
            }
            changed = Collections.unmodifiableMap(copy);
            settings = changed;
        }
        for (Observer observer : observers) {
            observer.changed(changed);
        }
    }

    /** Changes a setting if it has the expected value; null stands for absent. */
    public boolean compareAndSet(String name, String expected, String value) {
        Map<String, String> changed;
        synchronized (this) {
            if (!Objects.equals(settings.get(name), expected)) {
                return false;
            }
            Map<String, String> copy = new HashMap<>(settings);
            copy.put(name, Objects.requireNonNull(value, "value"));
            changed = Collections.unmodifiableMap(copy);
            settings = changed;
        }
        for (Observer observer : observers) {
            observer.changed(changed);
        }
        return true;
    }

    /** Adds an observer. */
    public void observe(Observer observer) {
        observers.add(Objects.requireNonNull(observer, "observer"));
    }
}
