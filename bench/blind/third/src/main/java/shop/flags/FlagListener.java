package shop.flags;

/** Told about the values of feature flags. */
@FunctionalInterface
public interface FlagListener {

    /** Called with the present value of a flag. */
    void onFlag(String name, boolean enabled);
}
