package java.lang;

/** Uncontrolled runs: the threads start together and truly run in parallel. */
final class RaddleStress {
    private RaddleStress() {
    }

    /** Longer than any sensible test takes. */
    private static final long PATIENCE_NANOS = 1_000_000_000L;

    /** Counts uncontrolled runs; a change wakes the threads. */
    static volatile int round;
    private static volatile int waiting;
    private static int skew;
    private static Thread main;

    /** Holds a thread until all are there. */
    static void line() {
        synchronized (RaddleStress.class) {
            waiting--;
        }
        while (waiting > 0) {
            Thread.onSpinWait();
        }
        // Threads that start at the very same moment miss the overlaps that a small offset shows.
        if (Thread.currentThread() == RaddleEngine.workers[0]) {
            for (int i = 0; i < skew; i++) {
                Thread.onSpinWait();
            }
        }
    }

    /** A thread has come to its end. The one who waits takes no CPU from those who run. */
    static void done() {
        RaddleScheduler.unsafe.unpark(main);
    }

    /** Runs the threads; false if they did not come to an end. */
    static boolean run(long seed) {
        RaddleWorker[] workers = RaddleEngine.workers;
        skew = (int) (seed >>> 1) & 255;
        waiting = workers.length;
        main = Thread.currentThread();
        round++;
        for (RaddleWorker worker : workers) {
            RaddleScheduler.unsafe.unpark(worker);
        }
        long start = System.nanoTime();
        for (RaddleWorker worker : workers) {
            while (worker.ended != round) {
                long left = start + PATIENCE_NANOS - System.nanoTime();
                if (left <= 0) {
                    return false;
                }
                RaddleScheduler.unsafe.park(false, left);
            }
        }
        return true;
    }
}
