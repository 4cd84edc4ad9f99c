package org.fenwater.util;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * A one-to-one relation that can be looked up from either side. Relating two things ends whatever
 * relations either of them had. Safe for concurrent use.
 */
public final class TwoWayIndex<L, R> {

    private final Map<L, R> rights = new HashMap<>();
    private final Map<R, L> lefts = new HashMap<>();
    private final Lock reading;
    private final Lock writing;

    public TwoWayIndex() {
        ReadWriteLock lock = new ReentrantReadWriteLock();
        reading = lock.readLock();
        writing = lock.writeLock();
    }

    public void relate(L left, R right) {
        Objects.requireNonNull(left);
        Objects.requireNonNull(right);
        writing.lock();
        try {
            R oldRight = rights.put(left, right);
            if (oldRight != null) {
                lefts.remove(oldRight);
            }
            L oldLeft = lefts.put(right, left);
            if (oldLeft != null && !oldLeft.equals(left)) {
                rights.remove(oldLeft);
            }
        } finally {
            writing.unlock();
        }
    }

    /** Ends the relation of {@code left} and returns what it was related to. */
    public R dissolve(L left) {
        writing.lock();
        try {
            R right = rights.remove(left);
            if (right != null) {
                lefts.remove(right);
            }
            return right;
        } finally {
            writing.unlock();
        }
    }

    public R rightOf(L left) {
        reading.lock();
        try {
            return rights.get(left);
        } finally {
            reading.unlock();
        }
    }

    public L leftOf(R right) {
        reading.lock();
        try {
            return lefts.get(right);
        } finally {
            reading.unlock();
        }
    }

    public int size() {
        reading.lock();
        try {
            return rights.size();
        } finally {
            reading.unlock();
        }
    }

    /** A copy of the relation, from left to right. */
    public Map<L, R> toMap() {
        reading.lock();
        try {
            return Map.copyOf(rights);
        } finally {
            reading.unlock();
        }
    }
}
