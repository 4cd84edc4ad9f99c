package shop.health;

/** The outcome of a health check. */
public sealed interface HealthResult {

    /** All is well. */
    record Up() implements HealthResult {
    }

    /** Something is wrong. */
    record Down(String reason) implements HealthResult {
    }

    /** Tells whether all is well. */
    default boolean isUp() {
        return this instanceof Up;
    }
}
