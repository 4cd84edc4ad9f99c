package java.lang;

/**
 * Whether threads wait for what is there already. When no thread can go on, those in {@code Object.wait} are woken for no
 * reason, as every JVM may do, and the others stay where they are. Whoever goes round its loop, looks again and comes to the
 * end of its call has waited needlessly: somebody should have told it.
 *
 * <p>The run is over by then. What its calls came to is what it was before.
 */
final class RaddleProbe {
    private RaddleProbe() {
    }

    /** Points that the threads get. */
    private static final int PATIENCE = 2000;

    static boolean isOn;
    private static int left;
    private static byte[] states = new byte[0];
    /** By thread: the call in which it was woken, whether it has gone round a loop since, and what came of it. */
    private static int[] woken = new int[16];
    private static boolean[] looped = new boolean[16];
    private static boolean[] needless = new boolean[16];

    static void reset() {
        isOn = false;
        for (int i = 0; i < needless.length; i++) {
            needless[i] = false;
        }
    }

    static boolean isNeedless(int thread) {
        return thread < needless.length && needless[thread];
    }

    /** The run is stuck, and that has been noted. Says whether there is anybody to wake. */
    static boolean begin() {
        if (isOn || RaddleRecord.isOver) {
            return false;
        }
        if (woken.length < RaddleModel.count) {
            woken = new int[RaddleModel.count];
            looped = new boolean[RaddleModel.count];
            needless = new boolean[RaddleModel.count];
        }
        boolean any = false;
        for (int i = 0; i < woken.length; i++) {
            woken[i] = RaddleThread.NO_CALL;
            looped[i] = false;
            RaddleThread t = i < RaddleModel.count ? RaddleModel.threads[i] : null;
            if (t != null && t.op == RaddleThread.WAITING && t.call != RaddleThread.NO_CALL && !t.wasWoken()
                    && t.deadline == RaddleThread.NEVER) {
                t.notified = true;
                woken[i] = t.call;
                any = true;
            }
        }
        if (!any) {
            return false;
        }
        int calls = RaddleRecord.states.length;
        if (states.length < calls) {
            states = new byte[calls];
        }
        for (int i = 0; i < calls; i++) {
            states[i] = RaddleRecord.states[i];
        }
        left = PATIENCE;
        isOn = true;
        return true;
    }

    /** Who goes on; null if nobody can, or if they go on for too long. The main thread does not: the run is over. */
    static RaddleThread pick(RaddleThread current) {
        if (current.op == RaddleThread.LOOP && current.id < looped.length) {
            looped[current.id] = true;
        }
        if (--left < 0) {
            return null;
        }
        if (current.id > 0 && current.enabled()) {
            return current;
        }
        for (int i = 1; i < RaddleModel.count; i++) {
            if (RaddleModel.threads[i].enabled()) {
                return RaddleModel.threads[i];
            }
        }
        return null;
    }

    /** Notes who waited needlessly, and takes back what was done since. */
    static void end() {
        for (int i = 0; i < woken.length; i++) {
            int call = woken[i];
            needless[i] = call != RaddleThread.NO_CALL && looped[i] && states[call] == RaddleRecord.UNFINISHED
                    && RaddleRecord.states[call] == RaddleRecord.RETURNED;
        }
        for (int i = 0; i < RaddleRecord.states.length; i++) {
            if (RaddleRecord.states[i] != states[i]) {
                RaddleRecord.states[i] = states[i];
                RaddleRecord.results[i] = null;
            }
        }
    }
}
