package io.tarnwick.kit.seq;

import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Named generators of numbers. All generators of a process draw blocks of numbers from
 * one source, so that no number is given out twice, by whichever generator. Numbers of
 * one generator ascend.
 *
 * <p>Thread-safe.
 */
public final class NumberBlocks {

    private static final int BLOCK = 32;
    private static final AtomicLong SOURCE = new AtomicLong(1);
    private static final ConcurrentMap<String, NumberBlocks> GENERATORS = new ConcurrentHashMap<>();

    private static final class Standard {
        static final NumberBlocks INSTANCE = named("standard");
    }

    private final String name;
    private long next;
    private long end;
    private volatile long latest;

    private NumberBlocks(String name) {
        this.name = name;
    }

    /** The generator of that name, the same one for everybody. */
    public static NumberBlocks named(String name) {
        Objects.requireNonNull(name, "name");
        NumberBlocks present = GENERATORS.get(name);
        if (present != null) {
            return present;
        }
        NumberBlocks fresh = new NumberBlocks(name);
        present = GENERATORS.putIfAbsent(name, fresh);
        return present != null ? present : fresh;
    }

    /** The generator for those who need no name. */
    public static NumberBlocks standard() {
        return Standard.INSTANCE;
    }

    /** The next number, greater than 0. */
    public synchronized long next() {
        if (next == end) {
            next = SOURCE.getAndAdd(BLOCK);
            end = next + BLOCK;
        }
        long number = next++;
        latest = number;
        return number;
    }

    /** The number given out last, or 0. */
    public long latest() {
        return latest;
    }

    /** The name of the generator. */
    public String name() {
        return name;
    }

    @Override
    public String toString() {
        return name + '@' + latest;
    }
}
