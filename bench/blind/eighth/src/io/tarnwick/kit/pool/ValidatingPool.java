package io.tarnwick.kit.pool;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * A pool of reusable objects. Objects are made on demand up to a limit; a borrower
 * waits when the limit is reached and none is idle. Objects are checked when they
 * come back and when they are lent again; those that fail make room for new ones.
 *
 * <p>Safe for use by any number of threads.
 *
 * @param <T> the pooled type
 */
public class ValidatingPool<T> {

    private final Supplier<? extends T> factory;
    private final Predicate<? super T> validator;
    private final int limit;
    private final Deque<T> idle = new ArrayDeque<>();
    private int total;

    public ValidatingPool(Supplier<? extends T> factory, int limit) {
        this(factory, limit, t -> true);
    }

    /**
     * @param factory makes objects, never null
     * @param limit the most objects in existence at a time
     * @param validator tells whether an object may be used on
     */
    public ValidatingPool(Supplier<? extends T> factory, int limit, Predicate<? super T> validator) {
        this.factory = Objects.requireNonNull(factory, "factory");
        this.validator = Objects.requireNonNull(validator, "validator");
        if (limit < 1) {
            throw new IllegalArgumentException("limit: " + limit);
        }
        this.limit = limit;
    }

    /** Lends an object, waiting for one if necessary. */
    public synchronized T borrow() throws InterruptedException {
        T object;
        while ((object = next()) == null) {
            wait();
        }
        return object;
    }

    /** Lends an object if that needs no waiting, otherwise returns null. */
    public synchronized T tryBorrow() {
        return next();
    }

    /** Takes back a borrowed object. */
    public synchronized void giveBack(T object) {
        Objects.requireNonNull(object, "object");
        if (validator.test(object)) {
            idle.addLast(object);
            notify();
        } else {
            total--;
        }
    }

    /** Takes back an object that the borrower knows to be broken. */
    public synchronized void discard(T object) {
        Objects.requireNonNull(object, "object");
        total--;
        notify();
    }

    /** Objects in existence, lent or idle. */
    public synchronized int total() {
        return total;
    }

    /** Objects waiting to be lent. */
    public synchronized int idle() {
        return idle.size();
    }

    private T next() {
        T object;
        while ((object = idle.pollFirst()) != null) {
            if (validator.test(object)) {
                return object;
            }
            total--;
        }
        if (total >= limit) {
            return null;
        }
        T made = Objects.requireNonNull(factory.get(), "factory result");
        total++;
        return made;
    }
}
