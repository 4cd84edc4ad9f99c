package org.fenwater.util.concurrent;

import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A value that is obtained from its source when first needed, and kept. The source is asked by one
 * thread while others wait; if it throws, the next caller asks again.
 *
 * @param <T> the value type
 */
public final class OnceValue<T> implements Supplier<T> {

    private static final Object UNSET = new Object();

    private final Object lock = new Object();
    private volatile Object value = UNSET;
    private Supplier<? extends T> source;

    private OnceValue(Supplier<? extends T> source) {
        this.source = Objects.requireNonNull(source);
    }

    public static <T> OnceValue<T> from(Supplier<? extends T> source) {
        return new OnceValue<>(source);
    }

    /** Returns the value, which may be {@code null} if the source says so. */
    @Override
    public T get() {
        Object current = value;
        if (current == UNSET) {
            synchronized (lock) {
                current = value;
                if (current == UNSET) {
                    current = source.get();
                    value = current;
                    source = null;
                }
            }
        }
        return cast(current);
    }

    /** Returns the value if it has been obtained and is not {@code null}. */
    public Optional<T> ifPresent() {
        Object current = value;
        return current == UNSET ? Optional.empty() : Optional.ofNullable(cast(current));
    }

    public boolean isObtained() {
        return value != UNSET;
    }

    /** Derives another such value from this one. */
    public <R> OnceValue<R> map(Function<? super T, ? extends R> mapper) {
        Objects.requireNonNull(mapper);
        return new OnceValue<R>(() -> mapper.apply(get()));
    }

    @Override
    public String toString() {
        Object current = value;
        return current == UNSET ? "OnceValue[?]" : "OnceValue[" + current + ']';
    }

    @SuppressWarnings("unchecked")
    private T cast(Object current) {
        return (T) current;
    }
}
