package net.harborline.plugin;

/** Makes plugins. */
@FunctionalInterface
public interface PluginFactory {

    /** Creates the plugin of the given name, never {@code null}. */
    Object create(String name);
}
