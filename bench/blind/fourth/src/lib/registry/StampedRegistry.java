package lib.registry;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.locks.StampedLock;
import java.util.function.Function;

/**
 * A name-to-object registry for data which is read often and rarely changed.
 *
 * <p>Thread-safe; every method is atomic. The factory handed to {@link #getOrCreate} runs at most
 * once per missing name. It runs with the registry locked and must not use the registry itself.
 *
 * @param <V> type of the registered objects
 */
public class StampedRegistry<V> {
    private final StampedLock lock = new StampedLock();
    private final Map<String, V> entries = new HashMap<>();

    /** Returns the object registered under the name, if any. */
    public Optional<V> find(String name) {
        long stamp = lock.readLock();
        try {
            return Optional.ofNullable(entries.get(name));
        } finally {
            lock.unlockRead(stamp);
        }
    }

    /**
     * Returns the object registered under the name; if there is none, registers the one made by the
     * factory. Known names are served under the shared lock.
     */
    public V getOrCreate(String name, Function<? super String, ? extends V> factory) {
        Objects.requireNonNull(name);
        long stamp = lock.readLock();
        try {
            for (;;) {
                V known = entries.get(name);
                if (known != null) {
                    return known;
                }
                long write = lock.tryConvertToWriteLock(stamp);
                if (write != 0L) {
                    stamp = write;
                    V created = Objects.requireNonNull(factory.apply(name));
                    entries.put(name, created);
                    return created;
                }
                stamp = lock.writeLock();
            }
        } finally {
            lock.unlock(stamp);
        }
    }

    /** Registers the object, returning the one registered under the name before or {@code null}. */
    public V register(String name, V value) {
        Objects.requireNonNull(name);
        Objects.requireNonNull(value);
        long stamp = lock.writeLock();
        try {
            return entries.put(name, value);
        } finally {
            lock.unlockWrite(stamp);
        }
    }

    /** Removes the name; returns whether it was registered. */
    public boolean unregister(String name) {
        long stamp = lock.writeLock();
        try {
            return entries.remove(name) != null;
        } finally {
            lock.unlockWrite(stamp);
        }
    }

    /** Returns an independent copy of all registrations. */
    public Map<String, V> snapshot() {
        long stamp = lock.readLock();
        try {
            return new HashMap<>(entries);
        } finally {
            lock.unlockRead(stamp);
        }
    }
}
