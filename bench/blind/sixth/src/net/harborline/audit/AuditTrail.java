package net.harborline.audit;

import java.util.ArrayDeque;
import java.util.Objects;
import java.util.Queue;

/**
 * Writes audit lines in a thread of its own, in the order in which they were appended.
 *
 * <p>The trail must be closed. Lines appended before are still written then, lines appended after
 * are refused with an {@link IllegalStateException}. Lines that the sink fails to write are
 * counted and dropped. All methods may be called from any thread, except that the sink must not
 * call back.
 */
public class AuditTrail implements AutoCloseable {

    private final LineSink sink;
    private final Object lock = new Object();
    private final Queue<String> queue = new ArrayDeque<>();
    private final Thread writer;

    private boolean closed;
    private long appended;
    private long processed;
    private long dropped;

    public AuditTrail(LineSink sink) {
        this.sink = Objects.requireNonNull(sink, "sink");
        this.writer = new Thread(this::writeLines, "audit-trail");
        this.writer.setDaemon(true);
        this.writer.start();
    }

    /**
     * Appends a line. Returns before it is written.
     *
     * @throws IllegalStateException if the trail has been closed
     */
    public void append(String line) {
        Objects.requireNonNull(line, "line");
        synchronized (lock) {
            if (closed) {
                throw new IllegalStateException("closed");
            }
            queue.add(line);
            appended++;
            lock.notifyAll();
        }
    }

    /** Waits until all lines appended so far have been written or dropped. */
    public void flush() throws InterruptedException {
        synchronized (lock) {
            long target = appended;
            while (processed < target) {
                lock.wait();
            }
        }
    }

    /** Returns the number of lines that could not be written so far. */
    public long dropped() {
        synchronized (lock) {
            return dropped;
        }
    }

    /** Closes the trail and waits until the lines appended before have been processed. */
    @Override
    public void close() throws InterruptedException {
        synchronized (lock) {
            closed = true;
            lock.notifyAll();
        }
        writer.join();
    }

    private void writeLines() {
        for (;;) {
            String line;
            synchronized (lock) {
                while (queue.isEmpty() && !closed) {
                    try {
                        lock.wait();
                    } catch (InterruptedException e) {
                        // nobody but close() ends this thread
                    }
                }
                line = queue.poll();
                if (line == null) {
                    return;
                }
            }
            boolean written = false;
            try {
                sink.write(line);
                written = true;
            } catch (RuntimeException | Error e) {
                // counted below
            }
            synchronized (lock) {
                processed++;
                if (!written) {
                    dropped++;
                }
                lock.notifyAll();
            }
        }
    }
}
