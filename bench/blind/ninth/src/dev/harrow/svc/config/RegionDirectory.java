package dev.harrow.svc.config;

import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Directory of all regions, read once from the source the first time it is asked for anything.
 * If reading fails the failure is passed on and the next call tries again.
 */
public class RegionDirectory {

    private final RegionSource source;
    private final Map<String, Region> byCode = new ConcurrentHashMap<>();
    private volatile boolean loaded;

    public RegionDirectory(RegionSource source) {
        this.source = Objects.requireNonNull(source);
    }

    /** Finds the region with the given code, regardless of case. */
    public Optional<Region> find(String code) {
        ensureLoaded();
        return Optional.ofNullable(byCode.get(normalize(code)));
    }

    public Region require(String code) {
        return find(code).orElseThrow(
                () -> new IllegalArgumentException("unknown region: " + code));
    }

    public boolean isRestricted(String code) {
        return require(code).restricted();
    }

    /** All region codes in alphabetical order. */
    public Set<String> codes() {
        ensureLoaded();
        return new TreeSet<>(byCode.keySet());
    }

    private void ensureLoaded() {
        if (loaded) {
            return;
        }
        synchronized (this) {
            if (loaded) {
                return;
            }
            loaded = true;
            try {
                for (Region region : source.fetchAll()) {
                    byCode.put(normalize(region.code()), region);
                }
            } catch (RuntimeException e) {
                loaded = false;
                byCode.clear();
                throw e;
            }
        }
    }

    private static String normalize(String code) {
        return code.trim().toLowerCase(java.util.Locale.ROOT);
    }
}
