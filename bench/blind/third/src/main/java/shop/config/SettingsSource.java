package shop.config;

import java.util.Map;

/** Where settings are read from, such as a configuration server. */
@FunctionalInterface
public interface SettingsSource {

    /** Reads all settings. */
    Map<String, String> load();
}
