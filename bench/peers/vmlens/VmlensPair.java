// Runs a pair under VMLens, interleaving by interleaving, and compares with both orders.

package pairs;

import com.vmlens.api.AllInterleavings;
import com.vmlens.api.AllInterleavingsBuilder;

public final class VmlensPair {
    /** Not volatile, so that counting is no event that VMLens would see. */
    private static long count;

    private VmlensPair() {}

    /** Arguments: class of the pair, and "find" or "count". */
    public static void main(String[] args) {
        boolean finds = args[1].equals("find");
        try {
            Outcomes outcomes = new Outcomes(args[0], finds);
            Watch.start(() -> count, finds);
            do {
                explore(args[0], outcomes, finds);
            } while (!finds);
            Journal.run(count);
            Journal.line("done");
        } catch (Throwable thrown) {
            Journal.cannot(thrown);
        }
        // Its events are written when the JVM ends.
        System.exit(0);
    }

    private static void explore(String name, Outcomes outcomes, boolean finds) throws Exception {
        AllInterleavingsBuilder builder = new AllInterleavingsBuilder().withMaximumIterations(Integer.MAX_VALUE);
        try (AllInterleavings interleavings = builder.build(name)) {
            while (interleavings.hasNext()) {
                Pair pair = outcomes.make();
                Object[] results = new Object[2];
                Thread first = new Thread(() -> results[0] = Outcomes.a(pair));
                Thread second = new Thread(() -> results[1] = Outcomes.b(pair));
                first.start();
                second.start();
                first.join();
                second.join();
                count++;
                String other = outcomes.judge(pair, results[0], results[1]);
                if (finds && other != null) {
                    Journal.found(other, count);
                    Runtime.getRuntime().halt(0);
                }
            }
        }
    }
}
