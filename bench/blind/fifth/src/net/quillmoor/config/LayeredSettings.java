package net.quillmoor.config;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Resolves settings from a list of layers, the first layer that knows a setting wins. Resolved
 * settings are kept until {@link #forget()} is called.
 *
 * <p>Thread-safe. Lookups of settings that have been resolved run in parallel; each setting is
 * resolved by one thread at a time. Layers must not call back into this object.
 */
public final class LayeredSettings {

    /** One source of settings. */
    public interface Layer {
        /** Returns the value of a setting, or null if this layer does not know it. */
        String read(String name);

        /** Returns a label for messages. */
        String label();
    }

    /** Admits many readers, one of which may turn itself into the only one. */
    private static final class Gate {
        private int inside;
        private boolean sole;

        synchronized void enter() {
            boolean interrupted = false;
            while (sole) {
                interrupted |= pause();
            }
            inside++;
            restore(interrupted);
        }

        synchronized void leave() {
            inside--;
            notifyAll();
        }

        synchronized void promote() {
            boolean interrupted = false;
            while (sole || inside > 1) {
                interrupted |= pause();
            }
            sole = true;
            restore(interrupted);
        }

        synchronized void demote() {
            sole = false;
            notifyAll();
        }

        private boolean pause() {
            try {
                wait();
                return false;
            } catch (InterruptedException e) {
                return true;
            }
        }

        private static void restore(boolean interrupted) {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private final List<Layer> layers;
    private final Map<String, String> resolved = new HashMap<>();
    private final Gate gate = new Gate();

    /** Creates settings over the given layers, the strongest one first. */
    public LayeredSettings(List<? extends Layer> layers) {
        this.layers = List.copyOf(layers);
    }

    /** Returns the value of a setting, or the fallback if no layer knows it. */
    public String resolve(String name, String fallback) {
        Objects.requireNonNull(name, "name");
        gate.enter();
        try {
            String value = resolved.get(name);
            if (value == null) {
                gate.promote();
                try {
                    value = resolved.get(name);
                    if (value == null) {
                        value = readLayers(name);
                        if (value != null) {
                            resolved.put(name, value);
                        }
                    }
                } finally {
                    gate.demote();
                }
            }
            return value == null ? fallback : value;
        } finally {
            gate.leave();
        }
    }

    /** Forgets all resolved settings, so that the layers are asked again. */
    public void forget() {
        gate.enter();
        try {
            gate.promote();
            try {
                resolved.clear();
            } finally {
                gate.demote();
            }
        } finally {
            gate.leave();
        }
    }

    /** Returns the number of settings kept. */
    public int keptCount() {
        gate.enter();
        try {
            return resolved.size();
        } finally {
            gate.leave();
        }
    }

    private String readLayers(String name) {
        for (Layer layer : layers) {
            String value = layer.read(name);
            if (value != null) {
                return value;
            }
        }
        return null;
    }
}
