package shop.flags;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import shop.common.Service;

/**
 * Switches for features that can be turned on and off while the shop is running.
 *
 * <p>Listeners hear of every change, in the order in which the changes were made. A listener that is
 * added later is first told the values of all flags set so far, so it never misses one.
 *
 * <p>Thread-safe. Listeners are called by the thread that changes the flag and should be quick.
 */
@Service
public class FeatureFlags {

    private final Map<String, Boolean> flags = new HashMap<>();
    private final List<FlagListener> listeners = new ArrayList<>();

    /** Creates a set of flags, all off. */
    public FeatureFlags() {
    }

    /** Creates a set of flags with the given values. */
    public static FeatureFlags of(Map<String, Boolean> initial) {
        FeatureFlags result = new FeatureFlags();
        result.flags.putAll(initial);
        return result;
    }

    /** Tells whether a feature is on; flags never set are off. */
    public boolean isEnabled(String name) {
        synchronized (flags) {
            return flags.getOrDefault(name, Boolean.FALSE);
        }
    }

    /**
     * Turns a feature on or off and tells the listeners.
     *
     * @return whether this was a change
     */
    public boolean set(String name, boolean enabled) {
        Objects.requireNonNull(name, "name");
        synchronized (flags) {
            Boolean previous = flags.put(name, enabled);
            if (previous != null && previous == enabled) {
                return false;
            }
            announce(name, enabled);
            return true;
        }
    }

    /** Inverts a flag and returns its new value. */
    public boolean toggle(String name) {
        synchronized (flags) {
            boolean enabled = !isEnabled(name);
            set(name, enabled);
            return enabled;
        }
    }

    /** Adds a listener after telling it the flags known so far. */
    public void addListener(FlagListener listener) {
        Objects.requireNonNull(listener, "listener");
        synchronized (listeners) {
            snapshot().forEach(listener::onFlag);
            listeners.add(listener);
        }
    }

    /** Removes a listener; returns false if it was not there. */
    public boolean removeListener(FlagListener listener) {
        synchronized (listeners) {
            return listeners.remove(listener);
        }
    }

    /** Returns a copy of all flags set so far, sorted by name. */
    public Map<String, Boolean> snapshot() {
        synchronized (flags) {
            return new TreeMap<>(flags);
        }
    }

    private void announce(String name, boolean enabled) {
        synchronized (listeners) {
            for (FlagListener listener : List.copyOf(listeners)) {
                listener.onFlag(name, enabled);
            }
        }
    }
}
