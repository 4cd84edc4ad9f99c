package net.quillon.core.stream;

import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Runs tasks one at a time in the order in which they arrive. A task is run by the thread that
 * submits it or, if that finds the strand busy, by the thread that keeps it busy.
 */
public final class Strand implements Executor {

    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final AtomicInteger outstanding = new AtomicInteger();
    private final Consumer<? super Throwable> onFailure;

    public Strand() {
        this(e -> System.getLogger(Strand.class.getName())
                .log(System.Logger.Level.ERROR, "task failed", e));
    }

    /** Creates a strand that reports what tasks throw to the given handler. */
    public Strand(Consumer<? super Throwable> onFailure) {
        this.onFailure = Objects.requireNonNull(onFailure);
    }

    @Override
    public void execute(Runnable task) {
        tasks.add(Objects.requireNonNull(task));
        if (outstanding.getAndIncrement() != 0) {
            return;
        }
        do {
            runOne(tasks.poll());
        } while (outstanding.decrementAndGet() != 0);
    }

    /** Whether a task is running or waiting to be run. */
    public boolean isBusy() {
        return outstanding.get() != 0;
    }

    private void runOne(Runnable task) {
        try {
            task.run();
        } catch (Throwable e) {
            report(e);
        }
    }

    private void report(Throwable failure) {
        try {
            onFailure.accept(failure);
        } catch (Throwable e) {
            System.getLogger(Strand.class.getName())
                    .log(System.Logger.Level.ERROR, "failure handler failed", e);
        }
    }
}
