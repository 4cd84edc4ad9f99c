package net.quillon.core.stream;

import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * Passes items from many threads to a sink that must not be called concurrently. Every item
 * emitted is passed on, one at a time, by one of the emitting threads.
 *
 * @param <T> the item type
 */
public final class SerialEmitter<T> {

    private final Consumer<? super T> sink;
    private final Queue<T> pending = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean draining = new AtomicBoolean();
    private final AtomicLong emitted = new AtomicLong();

    public SerialEmitter(Consumer<? super T> sink) {
        this.sink = Objects.requireNonNull(sink);
    }

    /** Emits the item; if another thread is busy with the sink, that thread passes it on. */
    public void emit(T item) {
        pending.add(Objects.requireNonNull(item));
        emitted.incrementAndGet();
        if (draining.compareAndSet(false, true)) {
            try {
                drain();
            } finally {
                draining.set(false);
            }
        }
    }

    public void emitAll(Iterable<? extends T> items) {
        for (T item : items) {
            emit(item);
        }
    }

    /** How many items have been emitted, whether passed on yet or not. */
    public long emittedCount() {
        return emitted.get();
    }

    private void drain() {
        T item;
        while ((item = pending.poll()) != null) {
            sink.accept(item);
        }
    }
}
