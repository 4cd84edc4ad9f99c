package net.harborline.config;

import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * Settings that are loaded when they are needed for the first time, and again after
 * {@link #refresh()}.
 *
 * <p>The loader runs at most once per refresh and never in two threads at once. If it fails, the
 * exception goes to the caller and the next access tries again. The loader must
 * not call back. May be shared between threads.
 */
public class LazySettings {

    private final Supplier<? extends Map<String, String>> loader;

    private volatile Map<String, String> settings;

    public LazySettings(Supplier<? extends Map<String, String>> loader) {
        this.loader = Objects.requireNonNull(loader, "loader");
    }

    /** Returns a setting, or {@code null} if it is not set. */
    public String get(String name) {
        return settings().get(name);
    }

    /** Returns a setting, or the default if it is not set. */
    public String get(String name, String defaultValue) {
        return settings().getOrDefault(name, defaultValue);
    }

    /** Returns a setting as a number, or the default if it is not set or not a number. */
    public int getInt(String name, int defaultValue) {
        String text = get(name);
        if (text == null) {
            return defaultValue;
        }
        try {
            return Integer.parseInt(text.trim());
        } catch (NumberFormatException e) {
            return defaultValue;
        }
    }

    /** Returns all settings as they are now; the map does not change any more. */
    public Map<String, String> all() {
        return settings();
    }

    /** Makes the next access load the settings again. */
    public synchronized void refresh() {
        settings = null;
    }

    /** Tells whether the settings are loaded. */
    public boolean isLoaded() {
        return settings != null;
    }

    private Map<String, String> settings() {
        Map<String, String> current = settings;
        if (current == null) {
            synchronized (this) {
                current = settings;
                if (current == null) {
                    current = Map.copyOf(loader.get());
                    settings = current;
                }
            }
        }
        return current;
    }
}
