// Runs a pair under Lincheck's model checker, with its own verifier: linearizable to the pair itself, run by one thread.

package pairs;

import java.util.List;
import org.jetbrains.kotlinx.lincheck.Actor;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionResult;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionScenario;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.verifier.LinearizabilityVerifier;
import org.jetbrains.lincheck.datastructures.verifier.Verifier;

public final class LincheckPair {
    private static volatile long count;

    private LincheckPair() {}

    /** Argument: class of the pair. */
    public static void main(String[] args) {
        try {
            Class<?> pair = Class.forName(args[0]);
            // It sees deadlocks itself.
            Watch.start(() -> count, false);
            List<List<Actor>> threads = List.of(List.of(actor(pair, "a")), List.of(actor(pair, "b")));
            new ModelCheckingOptions()
                    .iterations(0)
                    .addCustomScenario(
                            new ExecutionScenario(List.of(), threads, List.of(actor(pair, "after")), null))
                    .invocationsPerIteration(Integer.MAX_VALUE)
                    .minimizeFailedScenario(false)
                    .verifier(Counting.class)
                    .check(pair);
            Journal.run(count);
            Journal.line("done");
        } catch (AssertionError failure) {
            // What Lincheck finds; the first line says what kind of thing it is.
            Journal.found(String.valueOf(failure.getMessage()).strip().lines().findFirst().orElse(""), count);
        } catch (Throwable thrown) {
            Journal.cannot(thrown);
        }
        Runtime.getRuntime().halt(0);
    }

    /** The default verifier, which also counts what it is asked. */
    public static class Counting implements Verifier {
        private final Verifier itself;

        public Counting(Class<?> specification) {
            itself = new LinearizabilityVerifier(specification);
        }

        @Override
        public boolean verifyResults(ExecutionScenario scenario, ExecutionResult results) {
            count++;
            return itself.verifyResults(scenario, results);
        }
    }

    private static Actor actor(Class<?> pair, String method) throws NoSuchMethodException {
        return new Actor(pair.getMethod(method), List.of());
    }
}
