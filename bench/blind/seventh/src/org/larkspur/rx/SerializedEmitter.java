package org.larkspur.rx;

import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * Relays events from many threads to one sink, one event at a time. The thread that finds the sink
 * idle delivers the events of all others, too; the others return at once.
 *
 * <p>All methods are thread-safe and may be called from within the sink. The sink is called at most
 * once with a terminal event and never afterwards. Events emitted concurrently with the terminal
 * event may be dropped.
 *
 * @param <T> the type of events
 */
public final class SerializedEmitter<T> {

    private static final Object COMPLETE = new Object();

    private final Queue<T> queue = new ConcurrentLinkedQueue<>();
    private final AtomicInteger wip = new AtomicInteger();
    private final AtomicReference<Object> terminal = new AtomicReference<>();
    private final Consumer<? super T> onNext;
    private final Consumer<? super Throwable> onTerminate;

    /** Only accessed while draining. */
    private boolean finished;

    /**
     * Creates an emitter.
     *
     * @param onNext receives events; if it fails, its failure ends the sequence
     * @param onTerminate receives the failure or, at regular completion, null
     */
    public SerializedEmitter(Consumer<? super T> onNext, Consumer<? super Throwable> onTerminate) {
        this.onNext = Objects.requireNonNull(onNext, "onNext");
        this.onTerminate = Objects.requireNonNull(onTerminate, "onTerminate");
    }

    /** Emits an event, or drops it if the sequence has ended. */
    public void next(T event) {
        Objects.requireNonNull(event, "event");
        if (terminal.get() != null) {
            return;
        }
        queue.offer(event);
        drain();
    }

    /** Ends the sequence unless it has ended. */
    public void complete() {
        if (terminal.compareAndSet(null, COMPLETE)) {
            drain();
        }
    }

    /** Ends the sequence with a failure unless it has ended. */
    public void error(Throwable failure) {
        if (terminal.compareAndSet(null, Objects.requireNonNull(failure, "failure"))) {
            drain();
        }
    }

    /** Returns whether no more events are accepted. */
    public boolean isTerminated() {
        return terminal.get() != null;
    }

    private void drain() {
        if (wip.getAndIncrement() != 0) {
            return;
        }
        int missed = 1;
        do {
            drainOnce();
            missed = wip.addAndGet(-missed);
        } while (missed != 0);
    }

    private void drainOnce() {
        for (;;) {
            if (finished) {
                queue.clear();
                return;
            }
            Object end = terminal.get();
            T event = queue.poll();
            if (event != null) {
                try {
                    onNext.accept(event);
                } catch (Throwable failure) {
                    terminal.compareAndSet(null, failure);
                    finish(failure);
                }
            } else if (end != null) {
                finish(end == COMPLETE ? null : (Throwable) end);
            } else {
                return;
            }
        }
    }

    private void finish(Throwable failure) {
        finished = true;
        try {
            onTerminate.accept(failure);
        } catch (Throwable ignored) {
            // there is nobody left to tell
        }
    }
}
