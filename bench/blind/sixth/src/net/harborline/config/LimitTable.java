package net.harborline.config;

import java.util.HashMap;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Table of the operational limits of a node (connections, upload size and so on).
 *
 * <p>The admin console changes limits while request threads look them up. Safe for use by several
 * threads.
 */
public class LimitTable {

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Long> limits = new HashMap<>();
    private int revision;

    /** Sets a limit. */
    public void define(String name, long value) {
        if (value < 0) {
            throw new IllegalArgumentException("negative limit");
        }
        lock.lock();
        try {
            limits.put(name, value);
            revision++;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Raises or lowers an existing limit. A limit never drops below zero.
     *
     * @return the new value
     * @throws NoSuchElementException if there is no such limit
     */
    public long adjust(String name, long delta) {
        lock.lock();
        Long current = limits.get(name);
        if (current == null) {
            throw new NoSuchElementException(name);
        }
        try {
            long value = Math.max(0, current + delta);
            limits.put(name, value);
            revision++;
            return value;
        } finally {
            lock.unlock();
        }
    }

    /** Returns a limit, or the given default if it is not defined. */
    public long lookup(String name, long defaultValue) {
        lock.lock();
        try {
            return limits.getOrDefault(name, defaultValue);
        } finally {
            lock.unlock();
        }
    }

    /** Returns the number of changes made so far. */
    public int revision() {
        lock.lock();
        try {
            return revision;
        } finally {
            lock.unlock();
        }
    }

    /** Returns a copy of all limits. */
    public Map<String, Long> snapshot() {
        lock.lock();
        try {
            return new HashMap<>(limits);
        } finally {
            lock.unlock();
        }
    }
}
