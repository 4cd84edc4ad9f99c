package io.tarnwick.kit.lazy;

import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A value that is computed when it is first asked for, and again after a
 * {@link #reset}.
 *
 * <p>Thread-safe. The value is computed by one thread while others wait. If the
 * computation fails the failure goes to the caller and the next one tries again. The
 * computation must not use this object.
 *
 * @param <T> the value, not null
 */
public class LazyValue<T> {

    private final Supplier<? extends T> supplier;
    private volatile T value;

    private LazyValue(Supplier<? extends T> supplier) {
        this.supplier = supplier;
    }

    /** A value computed by the supplier. */
    public static <T> LazyValue<T> of(Supplier<? extends T> supplier) {
        return new LazyValue<>(Objects.requireNonNull(supplier, "supplier"));
    }

    /** The value. */
    public T get() {
        T result = value;
        if (result == null) {
            synchronized (this) {
                result = value;
                if (result == null) {
                    result = Objects.requireNonNull(supplier.get(), "computed value");
                    value = result;
                }
            }
        }
        return result;
    }

    /** The value if it has been computed. */
    public Optional<T> peek() {
        return Optional.ofNullable(value);
    }

    /** Forgets the value; waits for a computation in progress. */
    public void reset() {
        synchronized (this) {
            value = null;
        }
    }

    /** Whether the value has been computed and not been forgotten since. */
    public boolean isComputed() {
        return value != null;
    }

    @Override
    public String toString() {
        T current = value;
        return current == null ? "LazyValue[]" : "LazyValue[" + current + ']';
    }
}
