package b2.roundrobin;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Chooses one of several servers in turn. Servers may come and go at any time; the turn is only
 * approximate while they do.
 *
 * <p>Thread-safe.
 */
public class RoundRobin {
    private final CopyOnWriteArrayList<String> servers = new CopyOnWriteArrayList<>();
    private final AtomicInteger cursor = new AtomicInteger();

    /** Adds a server; returns false if it is there already. */
    public boolean add(String server) {
        return servers.addIfAbsent(server);
    }

    /** Removes a server; returns false if it was not there. */
    public boolean remove(String server) {
        return servers.remove(server);
    }

    /** Returns the next server in turn, or null if there are no servers. */
    public String next() {
        if (servers.isEmpty()) {
            return null;
        }
        int turn = cursor.getAndIncrement();
        return servers.get(Math.floorMod(turn, servers.size()));
    }

    /** Returns a snapshot of the servers. */
    public List<String> servers() {
        return List.copyOf(servers);
    }
}
