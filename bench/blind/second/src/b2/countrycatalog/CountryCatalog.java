package b2.countrycatalog;

import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Country names by ISO code. The table is loaded at first use.
 *
 * <p>Thread-safe. Once constructed, a catalog gives the same answer to every lookup of a code,
 * unless an alias is registered.
 */
public class CountryCatalog {
    private static final String[][] DATA = {
        {"AT", "Austria"}, {"BE", "Belgium"}, {"CH", "Switzerland"}, {"DE", "Germany"},
        {"ES", "Spain"}, {"FR", "France"}, {"IT", "Italy"}, {"PL", "Poland"},
    };

    private volatile Map<String, String> names;

    private Map<String, String> names() {
        Map<String, String> result = names;
        if (result == null) {
            synchronized (this) {
                result = names;
                if (result == null) {
                    result = new ConcurrentHashMap<>();
                    names = result;
                    for (String[] row : DATA) {
                        result.put(row[0], row[1]);
                    }
                }
            }
        }
        return result;
    }

    private static String normalize(String code) {
        return code.trim().toUpperCase(Locale.ROOT);
    }

    /** Returns the name of the country, or null if the code is unknown. */
    public String name(String code) {
        return names().get(normalize(code));
    }

    /** Returns the name of Germany, the default country. */
    public String defaultName() {
        return names().get("DE");
    }

    /**
     * Registers an additional code.
     *
     * @return false if the code is known already
     */
    public boolean registerAlias(String code, String name) {
        return names().putIfAbsent(normalize(code), name) == null;
    }
}
