package net.harborline.text;

import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Formats log lines of the form {@code component LEVEL message}.
 *
 * <p>Character buffers are kept and used again, because the formatter runs for every log line of
 * the node. May be shared between threads.
 */
public class LogLineFormatter {

    private static final int MAX_KEPT = 32;
    private static final int INITIAL_SIZE = 256;

    private final String component;
    private final int maxLength;
    private final ConcurrentLinkedDeque<StringBuilder> buffers = new ConcurrentLinkedDeque<>();
    private final AtomicInteger kept = new AtomicInteger();

    public LogLineFormatter(String component) {
        this(component, 4096);
    }

    public LogLineFormatter(String component, int maxLength) {
        this.component = Objects.requireNonNull(component, "component");
        this.maxLength = maxLength;
    }

    /**
     * Formats a line.
     *
     * @param level name of the log level
     * @param message the message; line breaks are replaced by blanks
     */
    public String format(String level, String message) {
        StringBuilder line = borrow();
        try {
            line.append(component).append(' ').append(level).append(' ');
            for (int i = 0; i < message.length(); i++) {
                char c = message.charAt(i);
                line.append(c == '\n' || c == '\r' ? ' ' : c);
            }
            if (line.length() > maxLength) {
                line.setLength(maxLength);
            }
        } finally {
            giveBack(line);
        }
        return line.toString();
    }

    /** Returns the number of buffers waiting to be used again. */
    public int idleBuffers() {
        return kept.get();
    }

    private StringBuilder borrow() {
        StringBuilder buffer = buffers.pollFirst();
        if (buffer == null) {
            return new StringBuilder(INITIAL_SIZE);
        }
        kept.decrementAndGet();
        buffer.setLength(0);
        return buffer;
    }

    private void giveBack(StringBuilder buffer) {
        if (kept.incrementAndGet() > MAX_KEPT) {
            kept.decrementAndGet();
            return;
        }
        buffers.addFirst(buffer);
    }
}
