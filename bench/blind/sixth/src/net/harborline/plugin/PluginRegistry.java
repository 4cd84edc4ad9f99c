package net.harborline.plugin;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * Holds the plugins of an application, one per name, and creates them on demand. The factory is
 * never called by two threads at once and must not call back. May be shared between threads.
 */
public class PluginRegistry {

    /** A plugin and how often it has been replaced by a new one. */
    public record Resolved(Object plugin, int generation) {
    }

    private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    private final PluginFactory factory;
    private final Map<String, Object> plugins = new HashMap<>();
    private final Map<String, Integer> generations = new HashMap<>();

    public PluginRegistry(PluginFactory factory) {
        this.factory = Objects.requireNonNull(factory, "factory");
    }

    /** Returns the plugin of the given name and creates it if necessary. */
    public Resolved resolve(String name) {
        lock.readLock().lock();
        if (!plugins.containsKey(name)) {
            lock.readLock().unlock();
            lock.writeLock().lock();
            try {
                if (!plugins.containsKey(name)) {
                    plugins.put(name, Objects.requireNonNull(factory.create(name)));
                    generations.merge(name, 1, Integer::sum);
                }
                lock.readLock().lock();
            } finally {
                lock.writeLock().unlock();
            }
        }
        try {
            return new Resolved(plugins.get(name), generations.get(name) - 1);
        } finally {
            lock.readLock().unlock();
        }
    }

    /**
     * Drops a plugin; the next {@link #resolve(String)} creates a new one.
     *
     * @return whether there was one
     */
    public boolean drop(String name) {
        lock.writeLock().lock();
        try {
            return plugins.remove(name) != null;
        } finally {
            lock.writeLock().unlock();
        }
    }

    /** Tells whether the plugin exists at the moment. */
    public boolean isPresent(String name) {
        lock.readLock().lock();
        try {
            return plugins.containsKey(name);
        } finally {
            lock.readLock().unlock();
        }
    }

    /** Returns the names of the plugins that exist, sorted. */
    public SortedSet<String> names() {
        lock.readLock().lock();
        try {
            return new TreeSet<>(plugins.keySet());
        } finally {
            lock.readLock().unlock();
        }
    }
}
