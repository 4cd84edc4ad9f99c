package dev.harrow.svc.route;

import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Maps path prefixes to back ends; the longest prefix that matches wins. The table is consulted for
 * every request and changed rarely, so lookups do not lock.
 */
public final class RouteTable {

    private volatile TreeMap<String, String> routes = new TreeMap<>();
    private long lastGeneration;

    /** Finds the back end for a path. */
    public Optional<String> resolve(String path) {
        TreeMap<String, String> current = routes;
        for (String prefix = current.floorKey(path); prefix != null;
                prefix = current.lowerKey(prefix)) {
            if (path.startsWith(prefix)) {
                return Optional.of(current.get(prefix));
            }
        }
        return Optional.empty();
    }

    /** Adds or changes one route and returns the back end it had. */
    public String put(String prefix, String backend) {
        Objects.requireNonNull(backend);
        synchronized (this) {
            TreeMap<String, String> changed = new TreeMap<>(routes);
            String previous = changed.put(prefix, backend);
            routes = changed;
            lastGeneration++;
            return previous;
        }
    }

    /** Removes one route and returns the back end it had. */
    public String remove(String prefix) {
        synchronized (this) {
            if (!routes.containsKey(prefix)) {
                return null;
            }
            TreeMap<String, String> changed = new TreeMap<>(routes);
            String previous = changed.remove(prefix);
            routes = changed;
            lastGeneration++;
            return previous;
        }
    }

    /** Replaces the whole table at once. */
    public void replaceAll(Map<String, String> newRoutes) {
        TreeMap<String, String> replacement = new TreeMap<>(newRoutes);
        synchronized (this) {
            routes = replacement;
            lastGeneration++;
        }
    }

    /** The routes as they are at the time of the call, in order of prefix. */
    public SortedMap<String, String> routes() {
        return Collections.unmodifiableSortedMap(routes);
    }

    /** How many times the table has been changed. */
    public synchronized long generation() {
        return lastGeneration;
    }
}
