// Runs one class under Lincheck's model checker for a while and prints how many schedules that were.

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import org.jetbrains.kotlinx.lincheck.Actor;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionResult;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionScenario;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.verifier.Verifier;

public class Peer {
    /** Lincheck's own default; where a class has fewer interleavings, a check ends with the last of them. */
    private static final int SCHEDULES_PER_CHECK = 10_000;

    private static final com.sun.management.OperatingSystemMXBean PROCESS =
            ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class);

    private static long warmUp;
    private static long window;
    private static long schedules;
    private static long nanos;
    private static long cpuNanos;

    /** Arguments: class, method of each thread, method afterwards or "-", CPU seconds to warm up, seconds to count. */
    public static void main(String[] args) throws Exception {
        Class<?> subject = Class.forName(args[0]);
        warmUp = seconds(args[4]);
        window = seconds(args[5]);
        List<Actor> after = new ArrayList<>();
        if (!args[3].equals("-")) {
            after.add(actor(subject, args[3]));
        }
        while (true) {
            List<List<Actor>> threads =
                    List.of(List.of(actor(subject, args[1])), List.of(actor(subject, args[2])));
            new ModelCheckingOptions()
                    .iterations(0)
                    .addCustomScenario(new ExecutionScenario(List.of(), threads, after, null))
                    .invocationsPerIteration(SCHEDULES_PER_CHECK)
                    .minimizeFailedScenario(false)
                    .verifier(Tally.class)
                    .check(subject);
        }
    }

    /** Lincheck makes one of these for each check, and asks it after each schedule. */
    public static class Tally implements Verifier {
        private long last;
        private long lastCpu;

        public Tally(Class<?> specification) {}

        @Override
        public boolean verifyResults(ExecutionScenario scenario, ExecutionResult results) {
            long now = System.nanoTime();
            long cpu = PROCESS.getProcessCpuTime();
            // From the end of one schedule to that of the next, so that what a check costs to set up is not counted.
            if (last != 0 && lastCpu >= warmUp) {
                schedules++;
                nanos += now - last;
                cpuNanos += cpu - lastCpu;
            }
            if (nanos >= window) {
                System.out.println(schedules + " " + nanos + " " + cpuNanos);
                System.out.flush();
                Runtime.getRuntime().halt(0);
            }
            last = now;
            lastCpu = cpu;
            return true;
        }
    }

    private static long seconds(String text) {
        return (long) (Double.parseDouble(text) * 1e9);
    }

    private static Actor actor(Class<?> subject, String method) throws NoSuchMethodException {
        return new Actor(subject.getMethod(method), List.of());
    }
}
