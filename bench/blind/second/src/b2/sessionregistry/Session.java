package b2.sessionregistry;

/** One user's session. Immutable. */
public record Session(String user, long number) {
}
