package java.lang;

/**
 * How the calls of a plan's threads meet, over all runs of a batch: which of them were under way at the same time, of
 * which classes the objects are that they are made on, which objects came out of calls of two threads, and which places in
 * code were reached after or beside which.
 *
 * <p>Two calls overlap when one of them does something, or would but for a monitor, while the other has done something
 * and has not come to its end. A call that has only been announced has done nothing, so runs of whole calls, one after the
 * other, have no overlap.
 */
final class RaddleMeetings {
    private RaddleMeetings() {
    }

    /** Plans with more calls are written by hand, and nobody asks which of their calls met. */
    private static final int MOST_CALLS = 256;
    /** Classes of results that are named. */
    private static final int MOST_CLASSES = 16;

    /** Whether something was done in these runs that {@link RaddleSharedPoints} cannot tell of. */
    static boolean blurred;

    /** Places that are told of in one plan; whoever reaches more has reached much. */
    private static final int MOST_REACHED = 3000;
    /** Of a number made of two places, what is kept; beside it, whether the places are those of two threads. */
    private static final int PLACES = (1 << 24) - 1;
    private static final int OF_TWO_THREADS = 1 << 24;

    /** Open addressing; 0 is none. */
    private static final int[] known = new int[2 * 4096];
    /** The same in the order in which they came. */
    private static final int[] reached = new int[MOST_REACHED];
    private static int reachedCount;
    private static int toldCount;

    /** Rows of as many as there are calls. */
    private static boolean[] overlaps = new boolean[0];
    private static int calls;
    /** The thread of every call that has begun. */
    private static int[] threads = new int[0];
    private static String[] handedOut = new String[0];

    /** A new plan. */
    static void init(int count) {
        calls = count > MOST_CALLS ? 0 : count;
        overlaps = new boolean[calls * calls];
        threads = new int[count];
        handedOut = new String[0];
        for (int i = 0; i < known.length; i++) {
            known[i] = 0;
        }
        reachedCount = 0;
        toldCount = 0;
    }

    /** A new batch of the same plan. */
    static void reset() {
        blurred = false;
        for (int i = 0; i < overlaps.length; i++) {
            overlaps[i] = false;
        }
        handedOut = new String[0];
    }

    static void began(RaddleThread t, int call) {
        t.call = call;
        t.stepsOfCall = 0;
        t.siteBefore = 0;
        t.lastSite = 0;
        threads[call] = t.id;
    }

    static void ended(RaddleThread t) {
        t.call = RaddleThread.NO_CALL;
    }

    /** A thread does a step of a call. */
    static void step(RaddleThread t) {
        if (t.op == RaddleThread.CALL || calls == 0) {
            return;
        }
        t.stepsOfCall++;
        int place = t.site;
        if (place != t.lastSite) {
            // Three in a row: much of what a call does, it does through the same few places of the JDK.
            reach(places(places(t.siteBefore, t.lastSite), place));
        }
        for (int i = 1; i <= RaddleModel.planThreads; i++) {
            RaddleThread other = RaddleModel.threads[i];
            if (other != t && other.call != RaddleThread.NO_CALL && isUnderWay(other)) {
                overlaps[t.call * calls + other.call] = true;
                if (t.conflicts(other)) {
                    reach(places(places(t.lastSite, place), places(other.lastSite, other.site)) | OF_TWO_THREADS);
                }
            }
        }
        if (place != t.lastSite) {
            t.siteBefore = t.lastSite;
            t.lastSite = place;
        }
    }

    /** A number for two places in this order; hardly ever the same for others. */
    private static int places(int first, int second) {
        return (first * 31 + second) * 0x9E3779B9 >>> 8 & PLACES;
    }

    private static void reach(int number) {
        int mask = known.length - 1;
        int at = number * 0x9E3779B9 >>> 8 & mask;
        while (known[at] != 0) {
            if (known[at] == number) {
                return;
            }
            at = at + 1 & mask;
        }
        if (number != 0 && reachedCount < MOST_REACHED) {
            known[at] = number;
            reached[reachedCount++] = number;
        }
    }

    private static boolean isUnderWay(RaddleThread t) {
        return t.stepsOfCall > 0 || t.op == RaddleThread.ENTER && !t.enabled();
    }

    /** After a run: objects that calls of two threads returned. */
    static void noteResults() {
        for (int i = 0; i < calls; i++) {
            for (int j = 0; j < i; j++) {
                Object result = RaddleRecord.results[i];
                if (result != null && result == RaddleRecord.results[j] && threads[i] != threads[j]
                        && threads[i] > 0 && threads[j] > 0
                        && RaddleRecord.states[i] == RaddleRecord.RETURNED
                        && RaddleRecord.states[j] == RaddleRecord.RETURNED
                        && !RaddleValues.isPlain(result)
                        && RaddleValues.variable(result, RaddleEngine.variables) < 0) {
                    note(result.getClass().getName());
                }
            }
        }
    }

    private static void note(String name) {
        for (String known : handedOut) {
            if (known.equals(name)) {
                return;
            }
        }
        if (handedOut.length < MOST_CLASSES) {
            String[] more = new String[handedOut.length + 1];
            System.arraycopy(handedOut, 0, more, 0, handedOut.length);
            more[handedOut.length] = name;
            handedOut = more;
        }
    }

    static void write(RaddleOut out) {
        int position = out.position();
        out.i32(0);
        int count = 0;
        for (int i = 0; i < calls; i++) {
            for (int j = 0; j < i; j++) {
                if (overlaps[i * calls + j] || overlaps[j * calls + i]) {
                    out.i32(j);
                    out.i32(i);
                    count++;
                }
            }
        }
        out.patch(position, count);
        out.u8(blurred ? 1 : 0);
        Object[] variables = RaddleEngine.variables;
        out.i32(variables.length);
        for (Object variable : variables) {
            writeKinds(out, variable);
        }
        out.i32(handedOut.length);
        for (String name : handedOut) {
            out.utf(name);
        }
        out.i32(reachedCount - toldCount);
        while (toldCount < reachedCount) {
            out.i32(reached[toldCount++]);
        }
    }

    /** The class of an object and those above it. */
    private static void writeKinds(RaddleOut out, Object object) {
        int position = out.position();
        out.i32(0);
        int count = 0;
        for (Class<?> type = object == null ? null : object.getClass(); type != null; type = type.getSuperclass()) {
            out.utf(type.getName());
            count++;
        }
        out.patch(position, count);
    }
}
