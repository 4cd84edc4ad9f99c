package shop.db;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import javax.sql.DataSource;

/**
 * Shares a limited number of database connections among the request threads.
 *
 * <p>Thread-safe. Never more than the given number of connections are open at a time. After
 * {@link #close()} requests are refused with an {@link IllegalStateException}, also those that were
 * waiting, and connections are closed as soon as they come back.
 */
public final class ConnectionBroker implements AutoCloseable {

    private final DataSource dataSource;
    private final int maxConnections;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Deque<Connection> idle = new ArrayDeque<>();
    private int open;
    private boolean closed;

    /** Creates a broker that opens at most the given number of connections. */
    public ConnectionBroker(DataSource dataSource, int maxConnections) {
        this.dataSource = Objects.requireNonNull(dataSource, "dataSource");
        if (maxConnections < 1) {
            throw new IllegalArgumentException("maxConnections: " + maxConnections);
        }
        this.maxConnections = maxConnections;
    }

    /**
     * Borrows a connection, waiting for one if necessary. A connection that another thread is opening
     * counts as lent out to it, even if opening it fails in the end.
     *
     * @return the connection, or empty if none became available in time
     * @throws IllegalStateException if the broker is closed
     */
    public Optional<Loan> borrow(long timeout, TimeUnit unit) throws SQLException, InterruptedException {
        long nanos = unit.toNanos(timeout);
        lock.lockInterruptibly();
        try {
            while (true) {
                if (closed) {
                    throw new IllegalStateException("broker is closed");
                }
                Connection connection = idle.pollFirst();
                if (connection != null) {
                    return Optional.of(new Loan(connection));
                }
                if (open < maxConnections) {
                    open++;
                    break;
                }
                if (nanos <= 0) {
                    return Optional.empty();
                }
                nanos = changed.awaitNanos(nanos);
            }
        } finally {
            lock.unlock();
        }
        // the place is taken, so that connecting needs no lock
        try {
            return Optional.of(new Loan(dataSource.getConnection()));
        } catch (SQLException | RuntimeException | Error e) {
            vacate();
            throw e;
        }
    }

    /** Returns the number of connections, lent out, idle or being opened. */
    public int openConnections() {
        lock.lock();
        try {
            return open;
        } finally {
            lock.unlock();
        }
    }

    /** Closes the idle connections and refuses further requests. Closing twice has no effect. */
    @Override
    public void close() {
        List<Connection> toClose;
        lock.lock();
        try {
            closed = true;
            toClose = new ArrayList<>(idle);
            open -= idle.size();
            idle.clear();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        toClose.forEach(ConnectionBroker::dispose);
    }

    private void giveBack(Connection connection) {
        lock.lock();
        try {
            if (!closed) {
                idle.addFirst(connection);
                changed.signal();
                return;
            }
            open--;
        } finally {
            lock.unlock();
        }
        dispose(connection);
    }

    private static void dispose(Connection connection) {
        try {
            connection.close();
        } catch (SQLException | RuntimeException e) {
            // nothing more can be done for this connection
        }
    }

    private void vacate() {
        lock.lock();
        try {
            open--;
            changed.signal();
        } finally {
            lock.unlock();
        }
    }

    /** A borrowed connection; closing it gives the connection back, closing it again has no effect. */
    public final class Loan implements AutoCloseable {

        private final Connection connection;
        private final AtomicBoolean returned = new AtomicBoolean();

        private Loan(Connection connection) {
            this.connection = Objects.requireNonNull(connection, "connection");
        }

        public Connection connection() {
            return connection;
        }

        @Override
        public void close() {
            if (returned.compareAndSet(false, true)) {
                giveBack(connection);
            }
        }
    }
}
