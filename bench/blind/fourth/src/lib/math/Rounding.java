package lib.math;

/**
 * A way of rounding whole amounts to a multiple of a power of ten.
 *
 * <p>Instances are immutable. They and all static methods may be used by any number of threads
 * without further coordination.
 */
public abstract class Rounding {

    /** Used where the caller has no preference: half up, to hundreds. */
    public static final Rounding STANDARD = new HalfUp(2);

    private final int digits;
    private final long unit;

    /**
     * @param digits number of trailing digits that become zero, 0 to 18
     */
    protected Rounding(int digits) {
        if (digits < 0 || digits > 18) {
            throw new IllegalArgumentException("digits: " + digits);
        }
        this.digits = digits;
        long u = 1;
        for (int i = 0; i < digits; i++) {
            u *= 10;
        }
        this.unit = u;
    }

    /** Returns {@link #STANDARD}. */
    public static Rounding standard() {
        return STANDARD;
    }

    /** Rounds the value. */
    public final long round(long value) {
        long rest = Math.floorMod(value, unit);
        long base = value - rest;
        return rest != 0 && up(rest, unit) ? base + unit : base;
    }

    /** Returns the number of trailing digits that become zero. */
    public final int digits() {
        return digits;
    }

    /** Decides whether a value with the given rest goes up to the next multiple of the unit. */
    abstract boolean up(long rest, long unit);

    /** Rounds to the nearest multiple, and to the upper one if both are equally near. */
    public static final class HalfUp extends Rounding {
        public HalfUp(int digits) {
            super(digits);
        }

        @Override
        boolean up(long rest, long unit) {
            return rest >= unit - rest;
        }
    }

    /** Rounds to the next lower multiple. */
    public static final class Floor extends Rounding {
        public Floor(int digits) {
            super(digits);
        }

        @Override
        boolean up(long rest, long unit) {
            return false;
        }
    }
}
