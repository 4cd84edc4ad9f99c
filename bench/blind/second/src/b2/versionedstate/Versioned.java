package b2.versionedstate;

/** A value with its version. */
public record Versioned<T>(long version, T value) {
}
