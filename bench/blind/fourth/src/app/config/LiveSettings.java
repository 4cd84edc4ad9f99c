package app.config;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Settings that can be loaded anew while the application is running.
 *
 * <p>Thread-safe. Readers never wait and always see the settings of one version as a whole; use
 * {@link #current} to read several that belong together. Changes exclude each other, and listeners are
 * called in the order of the versions by the changing thread before its method returns. A listener may
 * read the settings but must neither change them nor throw an exception. A listener added or removed during a change may or may not
 * be told of it.
 */
public class LiveSettings {

    /** The settings of one version; the map cannot be modified. */
    public record Version(long number, Map<String, String> values) {
        public Version {
            values = Map.copyOf(values);
        }
    }

    private final Supplier<Map<String, String>> source;
    private final List<Consumer<? super Version>> listeners = new CopyOnWriteArrayList<>();
    private final Object changing = new Object();
    private volatile Version current = new Version(0, Map.of());

    /**
     * @param source yields all settings; called by one thread at a time
     */
    public LiveSettings(Supplier<Map<String, String>> source) {
        this.source = Objects.requireNonNull(source);
    }

    /** Returns the settings as they are now. */
    public Version current() {
        return current;
    }

    /** Returns one setting, or the given default if it is missing. */
    public String get(String key, String missing) {
        return current.values().getOrDefault(key, missing);
    }

    /**
     * Loads all settings from the source. If that fails, everything stays as it is.
     *
     * @return whether anything has changed; otherwise there is no new version
     */
    public boolean reload() {
        synchronized (changing) {
            return replace(source.get());
        }
    }

    /**
     * Sets one setting until the next reload.
     *
     * @return whether anything has changed
     */
    public boolean override(String key, String value) {
        synchronized (changing) {
            Map<String, String> values = new HashMap<>(current.values());
            values.put(key, value);
            return replace(values);
        }
    }

    /** Adds a listener; running the result removes it again. */
    public Runnable listen(Consumer<? super Version> listener) {
        Consumer<? super Version> unique = Objects.requireNonNull(listener)::accept;
        listeners.add(unique);
        return () -> listeners.remove(unique);
    }

    private boolean replace(Map<String, String> values) {
        Version next = new Version(current.number() + 1, values);
        if (next.values().equals(current.values())) {
            return false;
        }
        current = next;
        for (Consumer<? super Version> listener : listeners) {
            listener.accept(next);
        }
        return true;
    }
}
