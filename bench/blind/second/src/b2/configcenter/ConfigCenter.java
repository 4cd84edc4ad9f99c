package b2.configcenter;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Settings with listeners. A new listener is first told all current settings and afterwards every
 * change, in order and without gaps.
 *
 * <p>Thread-safe. Listeners are called by the thread that made the change and must not call back.
 */
public class ConfigCenter {
    private final Lock settingsLock = new ReentrantLock();
    private final Lock listenersLock = new ReentrantLock();
    private final Map<String, String> settings = new LinkedHashMap<>();
    private final List<ConfigListener> listeners = new ArrayList<>();

    /** Sets a value and tells the listeners. Returns the previous value, or null. */
    public String set(String key, String value) {
        settingsLock.lock();
        try {
            String old = settings.put(key, value);
            listenersLock.lock();
            try {
                for (ConfigListener listener : listeners) {
                    listener.changed(key, value);
                }
            } finally {
                listenersLock.unlock();
            }
            return old;
        } finally {
            settingsLock.unlock();
        }
    }

    /** Returns the value, or null. */
    public String get(String key) {
        settingsLock.lock();
        try {
            return settings.get(key);
        } finally {
            settingsLock.unlock();
        }
    }

    /** Adds a listener after having told it the current settings. */
    public void addListener(ConfigListener listener) {
        listenersLock.lock();
        try {
            settingsLock.lock();
            try {
                settings.forEach(listener::changed);
            } finally {
                settingsLock.unlock();
            }
            listeners.add(listener);
        } finally {
            listenersLock.unlock();
        }
    }

    /** Removes a listener; returns false if it was not there. */
    public boolean removeListener(ConfigListener listener) {
        listenersLock.lock();
        try {
            return listeners.remove(listener);
        } finally {
            listenersLock.unlock();
        }
    }
}
