package raddle.junit;

/** Where tests begin that have the executable {@code raddle} look at a class. */
public final class Raddle {
    private Raddle() {
    }

    /**
     * A hunt for ways in which threads can break a class, as {@code raddle hunt} makes it: no test is needed but this.
     *
     * @param type the class
     * @param more other classes, each of which is hunted for the same time
     */
    public static Hunt hunt(Class<?> type, Class<?>... more) {
        return new Hunt(type, more);
    }
}
