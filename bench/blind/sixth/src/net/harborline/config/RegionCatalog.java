package net.harborline.config;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Knows which host serves which region.
 *
 * <p>The catalog is given as lines of the form {@code region=host}. They are parsed when the
 * catalog is asked for the first time, since most tools that load the configuration never need
 * it. May be shared between threads.
 */
public class RegionCatalog {

    private final List<String> lines;
    private final String fallbackHost;

    private volatile Map<String, String> hosts;

    public RegionCatalog(List<String> lines, String fallbackHost) {
        this.lines = List.copyOf(lines);
        this.fallbackHost = Objects.requireNonNull(fallbackHost, "fallbackHost");
    }

    /**
     * Returns the host that serves the region, or the fallback host if the catalog does not list
     * the region.
     */
    public String hostOf(String region) {
        return table().getOrDefault(region, fallbackHost);
    }

    /** Tells whether the catalog lists the region. */
    public boolean isListed(String region) {
        return table().containsKey(region);
    }

    /** Returns the number of regions listed. */
    public int size() {
        return table().size();
    }

    private Map<String, String> table() {
        if (hosts == null) {
            synchronized (this) {
                if (hosts == null) {
                    hosts = new ConcurrentHashMap<>();
                    for (String line : lines) {
                        parse(line);
                    }
                }
            }
        }
        return hosts;
    }

    private void parse(String line) {
        String text = line.trim();
        if (text.isEmpty() || text.startsWith("#")) {
            return;
        }
        int eq = text.indexOf('=');
        if (eq < 0) {
            return;
        }
        hosts.put(text.substring(0, eq).trim(), text.substring(eq + 1).trim());
    }
}
