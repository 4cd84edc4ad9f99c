package io.tarnwick.kit.io;

import java.io.CharArrayWriter;
import java.io.IOException;
import java.io.Writer;

/**
 * A writer that passes everything on to another one and counts characters and line
 * feeds on the way.
 *
 * <p>Like other writers it may be used by several threads; the text of one call is
 * written without text of other calls in between.
 */
public class LineCountingWriter extends Writer {

    private final Writer target;
    private long lines;
    private long characters;
    private boolean closed;

    /** Counts text that is kept in memory. */
    public LineCountingWriter() {
        this(new CharArrayWriter());
    }

    /** Counts text on its way to the given writer. */
    public LineCountingWriter(Writer target) {
        super(target);
        this.target = target;
    }

    @Override
    public synchronized void write(char[] text, int offset, int length) throws IOException {
        ensureOpen();
        target.write(text, offset, length);
        for (int i = offset; i < offset + length; i++) {
            if (text[i] == '\n') {
                lines++;
            }
        }
        characters += length;
    }

    @Override
    public synchronized void flush() throws IOException {
        ensureOpen();
        target.flush();
    }

    @Override
    public synchronized void close() throws IOException {
        if (!closed) {
            closed = true;
            target.close();
        }
    }

    /** The number of line feeds written. */
    public synchronized long lines() {
        return lines;
    }

    /** The number of characters written. */
    public synchronized long characters() {
        return characters;
    }

    /** What the target has to say, for targets that keep their text. */
    public String text() {
        return target.toString();
    }

    private void ensureOpen() throws IOException {
        if (closed) {
            throw new IOException("closed");
        }
    }
}
