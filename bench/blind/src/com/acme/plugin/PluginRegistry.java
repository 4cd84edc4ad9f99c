package com.acme.plugin;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Plugins by name. Names are unique; registering a name twice is an error of
 * the caller. Thread-safe.
 */
public class PluginRegistry {

    private final Lock lock = new ReentrantLock();
    private final Map<String, Object> plugins = new LinkedHashMap<>();

    /**
     * Registers a plugin.
     *
     * @throws IllegalArgumentException if the name is in use
     */
    public void register(String name, Object plugin) {
        if (name == null || plugin == null) {
            throw new IllegalArgumentException("name and plugin are needed");
        }
        lock.lock();
        if (plugins.containsKey(name)) {
            throw new IllegalArgumentException("duplicate plugin: " + name);
        }
        plugins.put(name, plugin);
        lock.unlock();
    }

    /** Removes a plugin; false if there is none of this name. */
    public boolean unregister(String name) {
        lock.lock();
        try {
            return plugins.remove(name) != null;
        } finally {
            lock.unlock();
        }
    }

    /** The plugin of a name or null. */
    public Object find(String name) {
        lock.lock();
        try {
            return plugins.get(name);
        } finally {
            lock.unlock();
        }
    }

    /** Names in the order of registration, as a copy. */
    public List<String> names() {
        lock.lock();
        try {
            return new ArrayList<>(plugins.keySet());
        } finally {
            lock.unlock();
        }
    }
}
