package shop.jobs;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Watches the heartbeats of the cluster's nodes. While the monitor is started, it looks periodically
 * for nodes that have been silent for too long, reports each of them and forgets it.
 *
 * <p>Thread-safe; the monitor can be started and stopped any number of times, by any thread.
 */
public class HeartbeatMonitor {

    private final TaskScheduler scheduler;
    private final LongSupplier clock;
    private final long timeoutMillis;
    private final Consumer<? super String> onSilent;
    private final Map<String, Long> lastBeats = new ConcurrentHashMap<>();
    private final AtomicBoolean started = new AtomicBoolean();
    private volatile TaskScheduler.Handle handle;

    /**
     * Creates a monitor that is not started.
     *
     * @param scheduler calls the periodic check
     * @param clock the time in milliseconds
     * @param timeoutMillis how long a node may be silent
     * @param onSilent gets the names of nodes that are silent for longer
     */
    public HeartbeatMonitor(TaskScheduler scheduler, LongSupplier clock, long timeoutMillis,
            Consumer<? super String> onSilent) {
        if (timeoutMillis < 1) {
            throw new IllegalArgumentException("timeoutMillis: " + timeoutMillis);
        }
        this.scheduler = Objects.requireNonNull(scheduler, "scheduler");
        this.clock = Objects.requireNonNull(clock, "clock");
        this.timeoutMillis = timeoutMillis;
        this.onSilent = Objects.requireNonNull(onSilent, "onSilent");
    }

    /** Starts the periodic check; returns false if it was started already. */
    public boolean start() {
        if (!started.compareAndSet(false, true)) {
            return false;
        }
        handle = scheduler.every(Math.max(1, timeoutMillis / 2), this::check);
        return true;
    }

    /** Stops the periodic check; returns false if it was not started. */
    public boolean stop() {
        if (!started.compareAndSet(true, false)) {
            return false;
        }
        handle.cancel();
        handle = null;
        return true;
    }

    /** Tells whether the periodic check is on. */
    public boolean isStarted() {
        return started.get();
    }

    /** Notes a sign of life of a node. */
    public void beat(String node) {
        lastBeats.put(node, clock.getAsLong());
    }

    /** Returns the nodes known at the moment, sorted by name. */
    public List<String> nodes() {
        return lastBeats.keySet().stream().sorted().toList();
    }

    private void check() {
        long now = clock.getAsLong();
        lastBeats.forEach((node, last) -> {
            // a beat that arrives meanwhile changes the value, so the node stays
            if (now - last > timeoutMillis && lastBeats.remove(node, last)) {
                onSilent.accept(node);
            }
        });
    }
}
