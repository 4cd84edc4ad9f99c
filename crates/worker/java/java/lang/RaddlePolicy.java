package java.lang;

/**
 * Picks the thread that runs next. The rules are defined in the {@code schedule} crate, whose reference machine does
 * exactly the same; nothing here may depend on anything but the order, the seed and the model.
 */
final class RaddlePolicy {
    private RaddlePolicy() {
    }

    static final int TAPE = 0;
    static final int RANDOM = 1;
    static final int PCT = 2;
    static final int POS = 3;
    static final int STRESS = 4;
    static final int SERIAL = 5;

    /** So many points in a row are enough for a thread that others are waiting behind. */
    private static final int PATIENCE = 5000;

    static int kind;
    /** Of {@link #TAPE}: step, thread, step, thread, … */
    static int[] tape;
    static int tapeAt;
    /** Of {@link #PCT}. */
    static int[] priorities;
    static int[] changes;
    static int changeAt;
    private static long lowest;

    private static long random;
    private static int inARow;
    private static int[] enabled;

    /** Whether the last pick must be written down although the thread stays: by itself a tape would give way there. */
    static boolean staysAgainstRule;
    /** Set when the tape asks for a thread that cannot run. */
    static boolean diverged;

    static void init() {
        enabled = new int[16];
    }

    static void reset(long seed) {
        long z = seed + 0x9E3779B97F4A7C15L;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        z ^= z >>> 31;
        random = z == 0 ? 1 : z;
        inARow = 0;
        tapeAt = 0;
        changeAt = 0;
        lowest = 0;
        diverged = false;
    }

    private static long next() {
        long x = random;
        x ^= x << 13;
        x ^= x >>> 7;
        x ^= x << 17;
        random = x;
        return x;
    }

    /** A thread has announced its next operation, or has come into being. */
    static void announced(RaddleThread t) {
        if (kind == POS) {
            t.priority = next();
        }
    }

    /** A thread has come into being. */
    static void joined(RaddleThread t) {
        if (kind == PCT) {
            t.priority = priorities[t.id % priorities.length];
        } else {
            announced(t);
        }
    }

    /** The thread to run at this step, or null if none can. {@code current} need not be able to. */
    static RaddleThread pick(int step, RaddleThread current, boolean yields) {
        if (RaddleAccessSets.isOn) {
            RaddleAccessSets.announced(current);
        }
        RaddleThread[] threads = RaddleModel.threads;
        int count = RaddleModel.count;
        if (enabled.length < count) {
            enabled = new int[count * 2];
        }
        int n;
        long mask;
        boolean canStay;
        do {
            n = 0;
            mask = 0;
            canStay = false;
            for (int i = 0; i < count; i++) {
                RaddleThread t = threads[i];
                if (t.enabled()) {
                    enabled[n++] = i;
                    // Searches that look at the mask do not look beyond so many threads.
                    mask |= i < 48 ? 1L << i : 0;
                    canStay |= t == current;
                }
            }
        } while (n == 0 && RaddleModel.advanceClock());
        if (n == 0) {
            return null;
        }
        boolean isDisputed = n > 1;
        if (isDisputed && keepsPreparing(current, canStay, yields)) {
            enabled[0] = current.id;
            n = 1;
            mask = 1L << current.id;
        }
        if (n == 1) {
            RaddleScheduler.undisputed++;
        }
        staysAgainstRule = n > 1 && (yields || inARow >= PATIENCE);
        RaddleThread chosen;
        switch (kind) {
            case RANDOM:
                chosen = threads[enabled[n == 1 ? 0 : (int) ((next() >>> 33) % n)]];
                break;
            case PCT:
                chosen = byPriority(step, current, yields, n);
                break;
            case POS:
                if (yields || inARow >= PATIENCE) {
                    for (int i = 0; i < count; i++) {
                        if (threads[i] != current && threads[i].op != RaddleThread.FINISHED) {
                            threads[i].priority = next();
                        }
                    }
                }
                chosen = highest(n);
                for (int i = 0; i < count; i++) {
                    RaddleThread t = threads[i];
                    if (t != chosen && t.op != RaddleThread.FINISHED && t.conflicts(chosen)) {
                        t.priority = next();
                    }
                }
                break;
            case SERIAL:
                chosen = RaddleSerial.pick(current, canStay, yields, enabled, n);
                if (chosen == null) {
                    diverged = true;
                    chosen = threads[enabled[0]];
                }
                inARow = chosen == current && isDisputed ? inARow + 1 : 0;
                return chosen;
            default:
                chosen = byTape(step, current, canStay, yields, n);
                break;
        }
        inARow = chosen == current && isDisputed ? inARow + 1 : 0;
        if (RaddleRecord.recordsSteps) {
            if (RaddleSharedPoints.isOn) {
                RaddleSharedPoints.step(RaddleRecord.stepCount, current);
            }
            if (RaddleAccessSets.isOn) {
                RaddleAccessSets.step(RaddleRecord.stepCount, chosen);
            }
            RaddleRecord.step(step, mask, chosen, canStay, current.op == RaddleThread.CALL, yields);
        }
        return chosen;
    }

    /**
     * The calls that prepare a test go on while they can: what they start waits until the threads of the plan begin, where
     * it may still come first. Until then it counts as not able to run, so that no order has a choice here. Otherwise a pool
     * that is filled in the prefix has more orders than the threads that are tested.
     */
    private static boolean keepsPreparing(RaddleThread current, boolean canStay, boolean yields) {
        return RaddleEngine.inPrefix && current.id == 0 && canStay && !yields && inARow < PATIENCE;
    }

    private static RaddleThread byTape(int step, RaddleThread current, boolean canStay, boolean yields, int n) {
        if (tapeAt < tape.length && tape[tapeAt] == step) {
            int wanted = tape[tapeAt + 1];
            tapeAt += 2;
            for (int i = 0; i < n; i++) {
                if (enabled[i] == wanted) {
                    return RaddleModel.threads[wanted];
                }
            }
            diverged = true;
        }
        if (canStay && !yields && inARow < PATIENCE) {
            return current;
        }
        for (int i = 0; i < n; i++) {
            if (enabled[i] > current.id) {
                return RaddleModel.threads[enabled[i]];
            }
        }
        return RaddleModel.threads[enabled[0]];
    }

    private static RaddleThread byPriority(int step, RaddleThread current, boolean yields, int n) {
        while (changeAt < changes.length && changes[changeAt] <= step) {
            current.priority = --lowest;
            changeAt++;
        }
        if (yields || inARow >= PATIENCE) {
            current.priority = --lowest;
        }
        return highest(n);
    }

    private static RaddleThread highest(int n) {
        RaddleThread best = RaddleModel.threads[enabled[0]];
        for (int i = 1; i < n; i++) {
            RaddleThread t = RaddleModel.threads[enabled[i]];
            if (t.priority > best.priority) {
                best = t;
            }
        }
        return best;
    }
}
