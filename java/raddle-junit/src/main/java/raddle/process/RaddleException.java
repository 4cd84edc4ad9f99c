package raddle.process;

/** Raddle came to no answer: it was called wrongly, it could not look at enough, or it broke. */
public final class RaddleException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public RaddleException(String message) {
        super(message);
    }

    public RaddleException(String message, Throwable cause) {
        super(message, cause);
    }
}
