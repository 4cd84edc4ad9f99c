package b2.lazyvalue;

import java.util.Objects;
import java.util.function.Supplier;

/**
 * A value that is computed when it is asked for the first time.
 *
 * <p>Thread-safe. The supplier is called once; if it throws, the next {@link #get()} calls it again.
 */
public class LazyValue<T> implements Supplier<T> {
    private static final class Box<T> {
        T value;
    }

    private Supplier<? extends T> supplier;
    private volatile Box<T> box;

    public LazyValue(Supplier<? extends T> supplier) {
        this.supplier = Objects.requireNonNull(supplier);
    }

    /** Returns a lazy value with the given constant. */
    public static <T> LazyValue<T> of(T constant) {
        return new LazyValue<>(() -> constant);
    }

    /** Returns the value. */
    @Override
    public T get() {
        Box<T> b = box;
        if (b == null) {
            synchronized (this) {
                b = box;
                if (b == null) {
                    b = new Box<>();
                    b.value = supplier.get();
                    box = b;
                    supplier = null;
                }
            }
        }
        return b.value;
    }

    /** Tells whether the value has been computed. */
    public boolean isComputed() {
        return box != null;
    }

    @Override
    public String toString() {
        Box<T> b = box;
        return b == null ? "LazyValue(?)" : "LazyValue(" + b.value + ")";
    }
}
