package b2.journal;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * An append-only journal that readers can follow and that can be closed.
 *
 * <p>Thread-safe. A closed journal can still be read.
 */
public class Journal implements AutoCloseable {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final List<String> entries = new ArrayList<>();
    private boolean closed;

    /**
     * Appends an entry; returns its index.
     *
     * @throws IllegalStateException if the journal has been closed
     */
    public int append(String entry) {
        Objects.requireNonNull(entry);
        lock.lock();
        try {
            if (closed) {
                throw new IllegalStateException("closed");
            }
            entries.add(entry);
            changed.signalAll();
            return entries.size() - 1;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits for the entry with the given index.
     *
     * @return the entry, or null if the journal was closed without it
     */
    public String await(int index) throws InterruptedException {
        Objects.checkIndex(index, Integer.MAX_VALUE);
        lock.lockInterruptibly();
        try {
            while (index >= entries.size()) {
                if (closed) {
                    return null;
                }
                changed.await();
            }
            return entries.get(index);
        } finally {
            lock.unlock();
        }
    }

    /** Returns a copy of the entries from an index on. */
    public List<String> since(int index) {
        lock.lock();
        try {
            return index >= entries.size()
                    ? List.of() : List.copyOf(entries.subList(Math.max(index, 0), entries.size()));
        } finally {
            lock.unlock();
        }
    }

    /** Tells whether the journal has been closed. */
    public boolean isClosed() {
        lock.lock();
        try {
            return closed;
        } finally {
            lock.unlock();
        }
    }

    /** Closes the journal and wakes up the readers. Closing it again has no effect. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
