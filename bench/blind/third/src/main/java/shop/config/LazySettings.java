package shop.config;

import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Settings that are loaded when they are first asked for. A loaded setting takes precedence over the
 * default of the same name. Names are not case-sensitive.
 *
 * <p>Thread-safe. The source is asked once, no matter how many threads need settings at first; if it
 * fails, the exception is passed on and the next access tries again.
 */
public class LazySettings {

    private final Map<String, String> defaults;
    private final SettingsSource source;
    private volatile Map<String, String> values;

    /** Creates settings without defaults. */
    public LazySettings(SettingsSource source) {
        this(source, Map.of());
    }

    /**
     * Creates settings with defaults.
     *
     * @param source where settings are loaded from
     * @param defaults used for what the source does not have
     */
    public LazySettings(SettingsSource source, Map<String, String> defaults) {
        this.source = Objects.requireNonNull(source, "source");
        this.defaults = Map.copyOf(defaults);
    }

    /** Returns a setting. */
    public Optional<String> get(String name) {
        return Optional.ofNullable(values().get(normalize(name)));
    }

    /** Returns a setting, or the given text if it is neither loaded nor has a default. */
    public String getOrDefault(String name, String fallback) {
        return get(name).orElse(fallback);
    }

    /**
     * Returns a numeric setting.
     *
     * @throws NumberFormatException if the setting is not a number
     */
    public OptionalInt getInt(String name) {
        Optional<String> text = get(name);
        return text.isPresent() ? OptionalInt.of(Integer.parseInt(text.get().trim())) : OptionalInt.empty();
    }

    /** Returns the number of settings, defaults included. */
    public int size() {
        return values().size();
    }

    /** Tells whether the settings were loaded already. */
    public boolean isLoaded() {
        return values != null;
    }

    private Map<String, String> values() {
        Map<String, String> current = values;
        if (current != null) {
            return current;
        }
        synchronized (this) {
            if (values == null) {
                Map<String, String> loaded = Map.copyOf(source.load());
                values = new ConcurrentHashMap<>();
                defaults.forEach(this::store);
                loaded.forEach(this::store);
            }
            return values;
        }
    }

    private void store(String name, String value) {
        values.put(normalize(name), value);
    }

    private static String normalize(String name) {
        return name.toLowerCase(Locale.ROOT);
    }
}
