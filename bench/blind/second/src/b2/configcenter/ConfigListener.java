package b2.configcenter;

/** Is told about settings and their changes. */
@FunctionalInterface
public interface ConfigListener {
    void changed(String key, String value);
}
