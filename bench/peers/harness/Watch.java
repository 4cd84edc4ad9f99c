// Counts along, and sees when threads wait for each other: for harnesses that have no eye for it.

package pairs;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.function.LongSupplier;

final class Watch {
    private static final int TICK_MILLIS = 100;

    private Watch() {}

    /** A deadlock is told when it is still there a second later. The count must not lock. */
    static void start(LongSupplier count, boolean looksForDeadlocks) {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        Thread thread =
                new Thread(
                        () -> {
                            int ticks = 0;
                            while (true) {
                                sleep();
                                Journal.run(count.getAsLong());
                                boolean isStuck = looksForDeadlocks && threads.findDeadlockedThreads() != null;
                                ticks = isStuck ? ticks + 1 : 0;
                                if (ticks * TICK_MILLIS >= 1000) {
                                    Journal.found("deadlock", count.getAsLong());
                                    Runtime.getRuntime().halt(0);
                                }
                            }
                        },
                        "watch");
        thread.setDaemon(true);
        thread.start();
    }

    private static void sleep() {
        try {
            Thread.sleep(TICK_MILLIS);
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }
}
