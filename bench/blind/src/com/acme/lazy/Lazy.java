package com.acme.lazy;

import java.util.Objects;
import java.util.function.Supplier;

/**
 * A value computed when it is first asked for, at most once. If the supplier
 * fails, its exception goes to the caller and the next call tries again. The
 * supplier may return null. Thread-safe; the supplier is called under the
 * lock of this object and must not call back from another thread.
 */
public final class Lazy<T> implements Supplier<T> {

    private static final Object UNSET = new Object();

    private volatile Object value = UNSET;
    private Supplier<? extends T> supplier;

    private Lazy(Supplier<? extends T> supplier) {
        this.supplier = Objects.requireNonNull(supplier);
    }

    /** A lazy value from a supplier. */
    public static <T> Lazy<T> of(Supplier<? extends T> supplier) {
        return new Lazy<>(supplier);
    }

    @Override
    @SuppressWarnings("unchecked")
    public T get() {
        Object v = value;
        if (v == UNSET) {
            synchronized (this) {
                v = value;
                if (v == UNSET) {
                    v = supplier.get();
                    value = v;
                    supplier = null;
                }
            }
        }
        return (T) v;
    }

    /** Whether the value has been computed. */
    public boolean isComputed() {
        return value != UNSET;
    }

    @Override
    public String toString() {
        Object v = value;
        return v == UNSET ? "Lazy[?]" : "Lazy[" + v + "]";
    }
}
