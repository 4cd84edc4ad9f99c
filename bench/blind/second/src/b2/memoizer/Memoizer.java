package b2.memoizer;

import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Function;

/**
 * Remembers the results of a function.
 *
 * <p>Thread-safe. The function is called once per argument; threads that ask for a result that is
 * being computed wait for it. If the function throws, all threads that wait get the exception and
 * the next call tries again. The function must not ask for its own argument.
 */
public class Memoizer<A, R> implements Function<A, R> {
    private final Function<? super A, ? extends R> function;
    private final ConcurrentMap<A, FutureTask<R>> results = new ConcurrentHashMap<>();

    public Memoizer(Function<? super A, ? extends R> function) {
        this.function = Objects.requireNonNull(function);
    }

    @Override
    public R apply(A argument) {
        FutureTask<R> task = results.get(argument);
        if (task == null) {
            FutureTask<R> mine = new FutureTask<>(() -> function.apply(argument));
            task = results.putIfAbsent(argument, mine);
            if (task == null) {
                task = mine;
                mine.run();
            }
        }
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return task.get();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } catch (ExecutionException e) {
            results.remove(argument, task);
            if (e.getCause() instanceof RuntimeException) {
                throw (RuntimeException) e.getCause();
            }
            if (e.getCause() instanceof Error) {
                throw (Error) e.getCause();
            }
            throw new CancellationException();
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Forgets the result for the argument; a computation that is under way is not stopped. */
    public void forget(A argument) {
        results.remove(argument);
    }
}
