package b2.rollinglog;

/**
 * An in-memory log that can be closed.
 *
 * <p>Thread-safe. After {@link #close()}, {@link #write} throws {@link IllegalStateException} and
 * {@link #length()} returns -1.
 */
public class RollingLog implements AutoCloseable {
    private volatile StringBuffer buffer = new StringBuffer();

    /**
     * Appends a line.
     *
     * @throws IllegalStateException if the log has been closed
     */
    public void write(String line) {
        if (buffer == null) {
            throw new IllegalStateException("closed");
        }
        buffer.append(line + '\n');
    }

    /** Returns the number of characters in the log, or -1 if it has been closed. */
    public int length() {
        StringBuffer b = buffer;
        return b == null ? -1 : b.length();
    }

    /** Tells whether the log has been closed. */
    public boolean isClosed() {
        return buffer == null;
    }

    /** Closes the log and frees the memory. Closing it again has no effect. */
    @Override
    public void close() {
        buffer = null;
    }
}
