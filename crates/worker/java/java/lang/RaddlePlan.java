package java.lang;

/** A lowered test plan. Its subclasses are generated. */
public abstract class RaddlePlan {
    /** The part that runs first, alone. Parts 1, 2, … are the threads. */
    static final int PREFIX = 0;
    /** The part that runs last, alone. */
    static final int AFTER = -1;

    /** For generated subclasses. */
    public RaddlePlan() {
    }

    /** Runs a part; {@code v} holds the plan's variables. */
    public abstract void run(int part, Object[] v);
}
