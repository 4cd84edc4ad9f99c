package b2.connectiongate;

import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Limits the number of connections that are open at the same time, and shuts down gracefully.
 *
 * <p>Thread-safe. {@link #shutdown()} refuses new connections and returns once all open ones have
 * been closed.
 */
public class ConnectionGate {
    private final int limit;
    private final Semaphore permits;
    private volatile boolean shutdown;

    public ConnectionGate() {
        this(2);
    }

    public ConnectionGate(int limit) {
        if (limit < 1) {
            throw new IllegalArgumentException("limit: " + limit);
        }
        this.limit = limit;
        this.permits = new Semaphore(limit);
    }

    /** An open connection. Closing it again has no effect. */
    public final class Connection implements AutoCloseable {
        private final AtomicBoolean closed = new AtomicBoolean();

        private Connection() {
        }

        @Override
        public void close() {
            if (closed.compareAndSet(false, true)) {
                permits.release();
            }
        }
    }

    /**
     * Opens a connection if the limit permits it.
     *
     * @return the connection, or null if too many are open
     * @throws IllegalStateException if the gate has been shut down
     */
    public Connection tryOpen() {
        ensureRunning();
        if (!permits.tryAcquire()) {
            ensureRunning();
            return null;
        }
        ensureRunning();
        return new Connection();
    }

    /** Refuses new connections and waits until the open ones have been closed. */
    public void shutdown() {
        shutdown = true;
        permits.acquireUninterruptibly(limit);
        permits.release(limit);
    }

    /** Tells whether {@link #shutdown()} has been called. */
    public boolean isShutdown() {
        return shutdown;
    }

    private void ensureRunning() {
        if (shutdown) {
            throw new IllegalStateException("shut down");
        }
    }
}
