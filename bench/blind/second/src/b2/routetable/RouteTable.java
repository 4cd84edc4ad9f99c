package b2.routetable;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;

/**
 * A routing table, read on every request and changed seldom. Readers never block: they see an
 * immutable table that is replaced as a whole.
 *
 * <p>Thread-safe.
 */
public class RouteTable {
    private volatile Map<String, String> routes = Collections.emptyMap();

    /** Returns the target of the path, or null. */
    public String lookup(String path) {
        return routes.get(path);
    }

    /** Returns an immutable snapshot of all routes. */
    public Map<String, String> routes() {
        return routes;
    }

    /** Returns the number of routes. */
    public int size() {
        return routes.size();
    }

    /** Adds or replaces a route; returns the former target, or null. */
    public synchronized String add(String path, String target) {
        Map<String, String> copy = new HashMap<>(routes);
        String old = copy.put(path, target);
        routes = Collections.unmodifiableMap(copy);
        return old;
    }

    /** Removes a route; returns whether there was one. */
    public boolean remove(String path) {
        Map<String, String> current = routes;
        if (!current.containsKey(path)) {
            return false;
        }
        Map<String, String> copy = new HashMap<>(current);
        copy.remove(path);
        routes = Collections.unmodifiableMap(copy);
        return true;
    }

    /** Removes all routes. */
    public synchronized void clear() {
        routes = Collections.emptyMap();
    }
}
