package java.lang;

/**
 * Calls one after the other, see {@code Order::Serial} and the reference machine in the {@code schedule} crate. A thread
 * goes on while it is inside a call; where it has come to the end of one, or cannot go on, there is a choice.
 *
 * <p>Only choices are counted and written down, and no points: a call may take other steps than in the run before, because
 * of something that the JDK has kept, without that an order of the calls gets lost.
 */
final class RaddleSerial {
    private RaddleSerial() {
    }

    /** How time passes; 0 is as in all other runs. */
    static final int FASTER = 1;
    static final int STANDING = 2;
    static int clock;

    /** What goes on at each choice: a thread, or the timeout of one. */
    static int[] choices = new int[0];
    private static int at;

    /** Threads and timeouts that can be told apart in a record; there is no choice of others. */
    private static final int MOST_THREADS = 32;
    private static final int MOST_TIMEOUTS = 16;

    /** A thread that yields so often within one call is waiting for another one. */
    private static final int SPINS = 32;
    /** So is one that does nothing new for such a part of the points that a run may have. */
    private static final int STALE_PART = 3;
    /** What was touched in turn, by site and place. When there is more of it, something new has been done. */
    private static final int TOUCHED = 256;
    private static final Object[] objects = new Object[TOUCHED];
    private static final long[] indices = new long[TOUCHED];
    private static int stale;

    /** The thread that has just been picked for its first call. */
    private static RaddleThread fresh;

    static void reset() {
        at = 0;
        fresh = null;
        forgetTouched();
    }

    private static void forgetTouched() {
        stale = 0;
        for (int i = 0; i < TOUCHED; i++) {
            objects[i] = null;
            indices[i] = 0;
        }
    }

    /** The thread to go on, or null if it cannot. */
    static RaddleThread pick(RaddleThread current, boolean canStay, boolean yields, int[] enabled, int n) {
        boolean atCall = current.op == RaddleThread.CALL;
        if (atCall) {
            current.yields = 0;
        }
        if (yields && ++current.yields > SPINS || isStale(current)) {
            current.yields = 0;
            current.spins = true;
        }
        boolean isFresh = fresh == current;
        fresh = null;
        // The calls before and after the threads have one order; but what was started may come between them.
        boolean isOrdered = current.id == 0 && !(atCall && n > 1);
        if (canStay && !current.spins && (isOrdered || isFresh || !atCall)) {
            return current;
        }
        return choose(current, enabled, n);
    }

    /** Whether the thread has come round again and again to where it was, and changed nothing. */
    private static boolean isStale(RaddleThread t) {
        switch (t.op) {
            case RaddleThread.READ:
            case RaddleThread.ATOMIC:
                int slot = (t.site * 31 + (int) t.index * 0x9E3779B9 >>> 4) & TOUCHED - 1;
                if (objects[slot] != t.object || indices[slot] != t.index) {
                    objects[slot] = t.object;
                    indices[slot] = t.index;
                    stale = 0;
                }
                break;
            case RaddleThread.LOOP:
                break;
            default:
                stale = 0;
                break;
        }
        if (++stale < RaddleScheduler.maxSteps / STALE_PART) {
            return false;
        }
        stale = 0;
        return true;
    }

    private static boolean isInside(RaddleThread t) {
        return t.id >= 1 && t.id <= RaddleModel.planThreads && t.op != RaddleThread.BEGIN
                && t.op != RaddleThread.CALL && t.op != RaddleThread.FINISHED;
    }

    private static boolean isStarted(RaddleThread t) {
        return t.id > RaddleModel.planThreads;
    }

    private static RaddleThread choose(RaddleThread current, int[] enabled, int n) {
        RaddleThread[] threads = RaddleModel.threads;
        boolean anyCalm = false;
        boolean anyInside = false;
        for (int i = 0; i < n; i++) {
            RaddleThread t = threads[enabled[i]];
            if (!t.spins) {
                anyCalm = true;
                anyInside |= isInside(t);
            }
        }
        if (!anyCalm) {
            for (int i = 0; i < n; i++) {
                anyInside |= isInside(threads[enabled[i]]);
            }
        }
        RaddleThread first = null;
        long options = 0;
        int count = 0;
        for (int i = 0; i < n; i++) {
            RaddleThread t = threads[enabled[i]];
            if (anyCalm && t.spins || anyInside && !isInside(t) && !isStarted(t)) {
                continue;
            }
            first = first == null ? t : first;
            count++;
            options |= t.id < MOST_THREADS ? 1L << t.id : 0;
        }
        for (int i = 1; !anyInside && i <= RaddleModel.planThreads && i < MOST_TIMEOUTS; i++) {
            RaddleThread t = threads[i];
            if (isInside(t) && t.deadline != RaddleThread.NEVER && !t.enabled()) {
                count++;
                options |= 1L << MOST_THREADS + i;
            }
        }
        RaddleThread chosen = first;
        if (count > 1) {
            int choice = at < choices.length ? choices[at] : first.id < MOST_THREADS ? first.id : -1;
            at++;
            if (choice >= 0) {
                if ((options >> choice & 1) == 0) {
                    return null;
                }
                chosen = threads[choice % MOST_THREADS];
            }
            if (RaddleRecord.recordsSteps) {
                RaddleRecord.choice(options, choice);
            }
            if (choice >= MOST_THREADS) {
                RaddleModel.clock = Math.max(RaddleModel.clock, chosen.deadline);
            }
        }
        for (int i = 0; i < RaddleModel.count; i++) {
            if (threads[i] != current || chosen == current) {
                threads[i].spins = false;
            }
        }
        forgetTouched();
        fresh = chosen.op == RaddleThread.BEGIN && !isStarted(chosen) ? chosen : null;
        return chosen;
    }
}
