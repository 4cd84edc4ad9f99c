package net.quillmoor.config;

import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A value that is made when first needed.
 *
 * <p>Thread-safe. The supplier is run by one thread at a time and, once it has returned a value, not
 * again; every caller gets that same value. If the supplier throws, the exception goes to the caller
 * and the next call tries again. The supplier must not ask for the value it is making.
 *
 * @param <T> the type of the value
 */
public final class OnceValue<T> implements Supplier<T> {

    private final Object making = new Object();
    private Supplier<? extends T> supplier;
    private volatile T value;

    private OnceValue(Supplier<? extends T> supplier) {
        this.supplier = Objects.requireNonNull(supplier, "supplier");
    }

    /** Creates a holder for the value of a supplier, which must not return null. */
    public static <T> OnceValue<T> from(Supplier<? extends T> supplier) {
        return new OnceValue<>(supplier);
    }

    /** Returns the value, making it if need be. */
    @Override
    public T get() {
        T result = value;
        if (result == null) {
            synchronized (making) {
                result = value;
                if (result == null) {
                    result = Objects.requireNonNull(supplier.get(), "supplied value");
                    value = result;
                    supplier = null;
                }
            }
        }
        return result;
    }

    /** Returns the value if it has been made. Never blocks. */
    public Optional<T> peek() {
        return Optional.ofNullable(value);
    }

    /** Tells whether the value has been made. */
    public boolean isMade() {
        return value != null;
    }

    @Override
    public String toString() {
        T current = value;
        return current == null ? "OnceValue[not made]" : "OnceValue[" + current + ']';
    }
}
