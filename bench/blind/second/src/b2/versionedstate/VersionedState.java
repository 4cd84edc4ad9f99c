package b2.versionedstate;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;

/**
 * A value with a version that is increased by every change, for optimistic updates.
 *
 * <p>Thread-safe and lock-free; every method is atomic.
 */
public class VersionedState<T> {
    private final AtomicReference<Versioned<T>> state;

    public VersionedState(T initial) {
        state = new AtomicReference<>(new Versioned<>(0, initial));
    }

    /** Returns the value and its version. */
    public Versioned<T> read() {
        return state.get();
    }

    /** Returns the version. */
    public long version() {
        return state.get().version();
    }

    /** Sets the value; returns the new version. */
    public long set(T value) {
        while (true) {
            Versioned<T> old = state.get();
            Versioned<T> changed = new Versioned<>(old.version() + 1, value);
            if (state.compareAndSet(old, changed)) {
                return changed.version();
            }
        }
    }

    /** Sets the value if the version is the expected one; returns whether it was. */
    public boolean setIfVersion(long expectedVersion, T value) {
        while (true) {
            Versioned<T> old = state.get();
            if (old.version() != expectedVersion) {
                return false;
            }
            if (state.compareAndSet(old, new Versioned<>(expectedVersion + 1, value))) {
                return true;
            }
        }
    }

    /**
     * Applies a function to the value. The function may be called several times and must not have
     * side effects.
     *
     * @return the new value and its version; the old ones if the function returns an equal value
     */
    public Versioned<T> update(UnaryOperator<T> function) {
        while (true) {
            Versioned<T> old = state.get();
            T value = function.apply(old.value());
            if (Objects.equals(value, old.value())) {
                return old;
            }
            Versioned<T> changed = new Versioned<>(old.version() + 1, value);
            if (state.compareAndSet(old, changed)) {
                return changed;
            }
        }
    }
}
