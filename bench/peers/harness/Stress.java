// Two threads that meet at a barrier and run a pair at the same time, again and again: no control at all.

package pairs;

import java.util.concurrent.atomic.AtomicLong;

public final class Stress {
    /** Then the processor is left to others, because there may be fewer cores than threads. */
    private static final int SPINS = 1000;

    private static final AtomicLong arrived = new AtomicLong();
    private static volatile Pair pair;
    private static volatile Object resultOfB;
    private static volatile long count;

    private Stress() {}

    /** Arguments: class of the pair, and "find" or "count". */
    public static void main(String[] args) {
        boolean finds = args[1].equals("find");
        try {
            Outcomes outcomes = new Outcomes(args[0], finds);
            Watch.start(() -> count, finds);
            Thread second = new Thread(Stress::second);
            second.setDaemon(true);
            second.start();
            for (long round = 0; ; round += 3) {
                Pair fresh = outcomes.make();
                pair = fresh;
                meet(round + 1);
                Object a = Outcomes.a(fresh);
                meet(round + 2);
                String other = outcomes.judge(fresh, a, resultOfB);
                count++;
                if (finds && other != null) {
                    Journal.found(other, count);
                    Runtime.getRuntime().halt(0);
                }
                meet(round + 3);
            }
        } catch (Throwable thrown) {
            Journal.cannot(thrown);
            Runtime.getRuntime().halt(1);
        }
    }

    private static void second() {
        for (long round = 0; ; round += 3) {
            meet(round + 1);
            Object b = Outcomes.b(pair);
            resultOfB = b;
            meet(round + 2);
            meet(round + 3);
        }
    }

    /** Both arrive at every meeting. */
    private static void meet(long number) {
        arrived.incrementAndGet();
        for (int spins = 0; arrived.get() < 2 * number; spins++) {
            if (spins < SPINS) {
                Thread.onSpinWait();
            } else {
                Thread.yield();
            }
        }
    }
}
