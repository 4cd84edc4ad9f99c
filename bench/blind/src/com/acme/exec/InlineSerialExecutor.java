package com.acme.exec;

import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Runs tasks one after the other without a thread of its own: the thread that
 * finds nobody running tasks runs those in the queue, others only leave theirs
 * there. When all calls of {@link #execute} have returned, all tasks have been
 * run.
 */
public class InlineSerialExecutor implements Executor {

    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean running = new AtomicBoolean();

    /** Runs the task or leaves it to the thread that runs tasks now. */
    @Override
    public void execute(Runnable task) {
        tasks.add(Objects.requireNonNull(task));
        if (running.compareAndSet(false, true)) {
            try {
                runAll();
            } finally {
                running.set(false);
            }
        }
    }

    private void runAll() {
        for (Runnable r = tasks.poll(); r != null; r = tasks.poll()) {
            try {
                r.run();
            } catch (RuntimeException e) {
                onFailure(r, e);
            }
        }
    }

    /** Called when a task fails; does nothing here. */
    protected void onFailure(Runnable task, RuntimeException e) {
    }

    /** Whether there are tasks in the queue. */
    public boolean hasPending() {
        return !tasks.isEmpty();
    }

    /** Whether a thread runs tasks now. */
    public boolean isRunning() {
        return running.get();
    }
}
