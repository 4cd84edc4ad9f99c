package shop.plugins;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Installs plugins and controls their life. Plugins are started in the order of their installation and
 * stopped in the reverse order; each one is started and stopped by turns.
 *
 * <p>Thread-safe. Methods that change something exclude each other, and plugins are started and stopped
 * under that lock; they may use the methods that only look something up, which never wait. A plugin
 * that tries to change something while it is started or stopped gets an {@link IllegalStateException}.
 */
public class PluginManager {

    /** What the manager is doing. */
    public enum Phase {
        STOPPED, STARTING, RUNNING, STOPPING
    }

    private volatile List<Plugin> plugins = List.of();
    private volatile Phase phase = Phase.STOPPED;

    /**
     * Installs a plugin and starts it if the manager is running. If it fails to start, it is not
     * installed, and its exception is passed on.
     *
     * @return false if a plugin of that name is installed already
     */
    public synchronized boolean install(Plugin plugin) {
        Objects.requireNonNull(plugin, "plugin");
        requireSettled();
        if (find(plugin.name()).isPresent()) {
            return false;
        }
        if (phase == Phase.RUNNING) {
            phase = Phase.STARTING;
            try {
                plugin.start();
            } finally {
                phase = Phase.RUNNING;
            }
        }
        plugins = Stream.concat(plugins.stream(), Stream.of(plugin)).toList();
        return true;
    }

    /**
     * Starts all plugins. If one fails to start, those started before are stopped again, and the
     * exception is passed on.
     *
     * @return false if the manager is running already
     */
    public synchronized boolean start() {
        requireSettled();
        if (phase == Phase.RUNNING) {
            return false;
        }
        phase = Phase.STARTING;
        Deque<Plugin> started = new ArrayDeque<>();
        boolean complete = false;
        try {
            for (Plugin plugin : plugins) {
                plugin.start();
                started.push(plugin);
            }
            complete = true;
        } finally {
            if (!complete) {
                phase = Phase.STOPPING;
                started.forEach(PluginManager::stopQuietly);
            }
            phase = complete ? Phase.RUNNING : Phase.STOPPED;
        }
        return true;
    }

    /** Stops all plugins, ignoring their exceptions; returns false if the manager is not running. */
    public synchronized boolean stop() {
        requireSettled();
        if (phase == Phase.STOPPED) {
            return false;
        }
        phase = Phase.STOPPING;
        List<Plugin> reversed = new ArrayList<>(plugins);
        Collections.reverse(reversed);
        try {
            reversed.forEach(PluginManager::stopQuietly);
        } finally {
            phase = Phase.STOPPED;
        }
        return true;
    }

    /** Finds an installed plugin. */
    public Optional<Plugin> find(String name) {
        return plugins.stream().filter(plugin -> plugin.name().equals(name)).findFirst();
    }

    /** Returns the names of the installed plugins in the order of their installation. */
    public List<String> names() {
        return plugins.stream().map(Plugin::name).collect(Collectors.toUnmodifiableList());
    }

    /** Returns what the manager is doing. */
    public Phase phase() {
        return phase;
    }

    private void requireSettled() {
        if (phase == Phase.STARTING || phase == Phase.STOPPING) {
            throw new IllegalStateException("called by a plugin while " + phase);
        }
    }

    private static void stopQuietly(Plugin plugin) {
        try {
            plugin.stop();
        } catch (RuntimeException e) {
            // the other plugins have to be stopped nevertheless
        }
    }
}
