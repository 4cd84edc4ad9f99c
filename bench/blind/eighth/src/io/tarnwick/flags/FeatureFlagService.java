package io.tarnwick.flags;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Feature flags with a rollout percentage. A flag is defined once, its percentage
 * may be changed at any time, and it is retired when the feature is there to stay.
 *
 * <p>The service is a singleton in the container and is called from all threads.
 */
public class FeatureFlagService {

    /** Supplies the initial flags, for example from a file. */
    public interface Source {
        Map<String, Integer> load();
    }

    private final Map<String, Integer> rollout = Collections.synchronizedMap(new TreeMap<>());

    public FeatureFlagService() {
    }

    public FeatureFlagService(Source source) {
        reload(source);
    }

    /** Takes over every flag that the source knows. */
    public final synchronized void reload(Source source) {
        for (Map.Entry<String, Integer> e : source.load().entrySet()) {
            rollout.put(e.getKey(), checked(e.getValue()));
        }
    }

    /** Defines a flag; false if there is one of that name. */
    public boolean define(String flag, int percent) {
        return rollout.putIfAbsent(flag, checked(percent)) == null;
    }

    /** Changes the percentage of a flag; false if there is no such flag. */
    public boolean adjust(String flag, int percent) {
        int value = checked(percent);
        return rollout.computeIfPresent(flag, (name, old) -> value) != null;
    }

    /** Removes the flag. */
    public boolean retire(String flag) {
        return rollout.remove(flag) != null;
    }

    /** Whether the feature is on for a user. Unknown flags are off. */
    public boolean isEnabled(String flag, String userId) {
        Integer percent = rollout.get(flag);
        if (percent == null) {
            return false;
        }
        return Math.floorMod((flag + '/' + userId).hashCode(), 100) < percent;
    }

    /** The names of all flags with at least the given percentage, sorted. */
    public synchronized List<String> flagsAtLeast(int percent) {
        List<String> names = new ArrayList<>();
        for (Map.Entry<String, Integer> e : rollout.entrySet()) {
            if (e.getValue() >= percent) {
                names.add(e.getKey());
            }
        }
        return names;
    }

    /** How many flags there are. */
    public int size() {
        return rollout.size();
    }

    private static int checked(int percent) {
        if (percent < 0 || percent > 100) {
            throw new IllegalArgumentException("percent: " + percent);
        }
        return percent;
    }
}
