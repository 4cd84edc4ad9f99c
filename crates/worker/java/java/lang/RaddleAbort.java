package java.lang;

/**
 * Thrown into a controlled thread to end a run. There is one, made beforehand: throwing it allocates nothing and
 * carries no stack.
 */
final class RaddleAbort extends Error {
    private static final long serialVersionUID = 1;

    RaddleAbort() {
        super("the run was ended", null, false, false);
    }
}
