package net.quillmoor.metrics;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.UnaryOperator;

/**
 * Passes samples through a chain of stages into a sink.
 *
 * <p>A pipeline has two lives. While it is being set up it belongs to one thread, which calls
 * {@link #addStage} and finally {@link #start()} before sharing it; those two methods are not
 * thread-safe. Once started, {@link #submit} and the statistics may be used by any number of threads.
 *
 * @param <T> the sample type
 */
public final class StagePipeline<T> {

    /** Takes samples at the end of the pipeline. Must be thread-safe. */
    public interface Sink<T> {
        /** Takes a sample. */
        void take(T sample);
    }

    private final Sink<? super T> sink;
    private final List<UnaryOperator<T>> setup = new ArrayList<>();
    private volatile List<UnaryOperator<T>> stages;
    private final LongAdder passed = new LongAdder();
    private final LongAdder dropped = new LongAdder();

    /** Creates a pipeline without stages that has not been started. */
    public StagePipeline(Sink<? super T> sink) {
        this.sink = Objects.requireNonNull(sink, "sink");
    }

    /**
     * Appends a stage. A stage may return null to drop the sample. To be called before sharing.
     *
     * @throws IllegalStateException if started
     */
    public StagePipeline<T> addStage(UnaryOperator<T> stage) {
        if (stages != null) {
            throw new IllegalStateException("already started");
        }
        setup.add(Objects.requireNonNull(stage, "stage"));
        return this;
    }

    /**
     * Ends the setup. To be called before sharing.
     *
     * @throws IllegalStateException if started
     */
    public StagePipeline<T> start() {
        if (stages != null) {
            throw new IllegalStateException("already started");
        }
        stages = List.copyOf(setup);
        return this;
    }

    /**
     * Passes a sample through the stages on the calling thread.
     *
     * @return whether it reached the sink
     * @throws IllegalStateException if not started
     */
    public boolean submit(T sample) {
        List<UnaryOperator<T>> chain = stages;
        if (chain == null) {
            throw new IllegalStateException("not started");
        }
        T current = Objects.requireNonNull(sample, "sample");
        for (UnaryOperator<T> stage : chain) {
            current = stage.apply(current);
            if (current == null) {
                dropped.increment();
                return false;
            }
        }
        sink.take(current);
        passed.increment();
        return true;
    }

    /** Returns how many samples reached the sink, not counting those still in {@link #submit}. */
    public long passed() {
        return passed.sum();
    }

    /** Returns how many samples were dropped, not counting those still in {@link #submit}. */
    public long dropped() {
        return dropped.sum();
    }
}
