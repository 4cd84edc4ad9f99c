package b2.featureflags;

import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;

/**
 * Feature flags, read very often and changed seldom.
 *
 * <p>Thread-safe; every method is atomic. Reading never blocks.
 */
public class FeatureFlags {
    private final Object writeLock = new Object();
    private volatile Set<String> enabled = Collections.emptySet();

    /** Tells whether the feature is enabled. */
    public boolean isEnabled(String feature) {
        return enabled.contains(feature);
    }

    /** Tells whether both features are enabled at the same time. */
    public boolean areEnabled(String first, String second) {
        Set<String> snapshot = enabled;
        return snapshot.contains(first) && snapshot.contains(second);
    }

    /** Enables a feature; returns false if it was enabled already. */
    public boolean enable(String feature) {
        synchronized (writeLock) {
            if (enabled.contains(feature)) {
                return false;
            }
            Set<String> copy = new TreeSet<>(enabled);
            copy.add(feature);
            enabled = Collections.unmodifiableSet(copy);
            return true;
        }
    }

    /** Disables a feature; returns false if it was disabled already. */
    public boolean disable(String feature) {
        synchronized (writeLock) {
            if (!enabled.contains(feature)) {
                return false;
            }
            Set<String> copy = new TreeSet<>(enabled);
            copy.remove(feature);
            enabled = Collections.unmodifiableSet(copy);
            return true;
        }
    }

    /** Swaps two features: enables one and disables the other in one step. */
    public void replace(String oldFeature, String newFeature) {
        synchronized (writeLock) {
            Set<String> copy = new TreeSet<>(enabled);
            copy.remove(oldFeature);
            copy.add(newFeature);
            enabled = Collections.unmodifiableSet(copy);
        }
    }

    /** Returns the enabled features in alphabetical order, as an immutable snapshot. */
    public Set<String> snapshot() {
        return enabled;
    }
}
