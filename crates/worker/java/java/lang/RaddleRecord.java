package java.lang;

import java.util.concurrent.locks.AbstractOwnableSynchronizer;

/**
 * What is remembered of a run. Filled while threads are controlled, so only arrays and plain assignments: anything of
 * the class library would call hooks again. Texts are made afterwards.
 */
final class RaddleRecord {
    private RaddleRecord() {
    }

    static final byte NOT_BEGUN = 0;
    static final byte UNFINISHED = 1;
    static final byte RETURNED = 2;
    static final byte THREW = 3;

    /** What follows is no part of the run: who does what at its end is not noted. */
    static boolean isOver;
    static boolean recordsSteps;
    static boolean traces;
    static boolean recordsCallers;

    /** Per call of the plan. */
    static byte[] states;
    static Object[] results;

    /** What threads that were started by others did not catch; more than so much says nothing new. */
    private static final int MOST_UNCAUGHT = 8;
    static final Throwable[] uncaught = new Throwable[MOST_UNCAUGHT];
    static final RaddleThread[] uncaughtIn = new RaddleThread[MOST_UNCAUGHT];
    static int uncaughtCount;

    /** Step, thread, step, thread, … */
    static int[] switches;
    static int switchCount;

    static long[] stepRecords;
    static int stepCount;

    /** Of all events in their order. */
    static long hash;

    /** One per event. */
    static byte[] traceThreads;
    static int[] traceSites;
    static int[] traceCallers;
    static Object[] traceObjects;
    static long[] traceIndices;
    static byte[] traceOps;
    static int traceCount;

    /** The threads when the run ended, if it did before its time. */
    static boolean noted;
    static int noteCount;
    static int[] noteOps;
    static int[] noteSites;
    static int[] noteCallers;
    static Object[] noteObjects;
    static Object[] noteBlockers;
    /** Who has the locks that parked threads wait for: on their way out, threads give them back. */
    static Object[] noteOwners;
    static int heldCount;
    static Object[] heldLocks;
    static int[] heldBy;
    static int[] heldSites;

    static void init(int calls) {
        states = new byte[calls];
        results = new Object[calls];
        switches = new int[256];
        stepRecords = new long[256];
        noteOps = new int[0];
    }

    static void reset() {
        for (int i = 0; i < states.length; i++) {
            states[i] = NOT_BEGUN;
            results[i] = null;
        }
        uncaughtCount = 0;
        switchCount = 0;
        stepCount = 0;
        if (RaddleSharedPoints.isOn) {
            RaddleSharedPoints.reset();
        }
        if (RaddleAccessSets.isOn) {
            RaddleAccessSets.reset();
        }
        traceCount = 0;
        if (traces) {
            RaddleTrace.reset();
        }
        hash = 0xCBF29CE484222325L;
        noted = false;
        noteCount = 0;
        heldCount = 0;
    }

    static void began(int call) {
        states[call] = UNFINISHED;
    }

    static void returned(int call, Object value) {
        results[call] = value;
        states[call] = RETURNED;
    }

    static void threw(int call, Throwable thrown) {
        results[call] = thrown;
        states[call] = THREW;
    }

    static void uncaught(RaddleThread t, Throwable thrown) {
        if (!isOver && uncaughtCount < MOST_UNCAUGHT) {
            uncaught[uncaughtCount] = thrown;
            uncaughtIn[uncaughtCount++] = t;
        }
    }

    static void switched(int step, int thread) {
        if (switchCount + 2 > switches.length) {
            switches = copy(switches, switches.length * 2);
        }
        switches[switchCount++] = step;
        switches[switchCount++] = thread;
    }

    /** A choice between calls; see {@link RaddleSerial}. */
    static void choice(long options, int chosen) {
        ensureStep();
        stepRecords[stepCount++] = options | (long) (chosen & 0xff) << 48;
    }

    static void step(int step, long mask, RaddleThread chosen, boolean canStay, boolean boundary, boolean yields) {
        ensureStep();
        stepRecords[stepCount++] = mask | (long) (chosen.id & 0xff) << 48 | (canStay ? 1L << 56 : 0)
                | (boundary ? 1L << 57 : 0) | (yields ? 1L << 58 : 0);
    }

    private static void ensureStep() {
        if (stepCount == stepRecords.length) {
            long[] more = new long[stepCount * 2];
            for (int i = 0; i < stepCount; i++) {
                more[i] = stepRecords[i];
            }
            stepRecords = more;
        }
    }

    /** The thread does its pending operation now. */
    static void executes(RaddleThread t) {
        long h = hash;
        h = (h ^ (t.id << 24 ^ t.op)) * 0x100000001B3L;
        h = (h ^ t.site) * 0x100000001B3L;
        h = (h ^ t.index) * 0x100000001B3L;
        hash = h;
        if (t.call != RaddleThread.NO_CALL) {
            RaddleMeetings.step(t);
        }
        // What prepares a test of one thread may take long and says nothing about its calls.
        if (traces && !(RaddleEngine.inPrefix && RaddleEngine.workers.length == 1)) {
            trace(t);
        }
    }

    private static void trace(RaddleThread t) {
        if (traceThreads == null) {
            traceThreads = new byte[256];
            traceOps = new byte[256];
            traceSites = new int[256];
            traceCallers = new int[256];
            traceObjects = new Object[256];
            traceIndices = new long[256];
        }
        int n = traceCount;
        if (n == traceThreads.length) {
            byte[] moreThreads = new byte[n * 2];
            byte[] moreOps = new byte[n * 2];
            Object[] moreObjects = new Object[n * 2];
            long[] moreIndices = new long[n * 2];
            for (int i = 0; i < n; i++) {
                moreThreads[i] = traceThreads[i];
                moreOps[i] = traceOps[i];
                moreObjects[i] = traceObjects[i];
                moreIndices[i] = traceIndices[i];
            }
            traceThreads = moreThreads;
            traceOps = moreOps;
            traceObjects = moreObjects;
            traceIndices = moreIndices;
            traceSites = copy(traceSites, n * 2);
            traceCallers = copy(traceCallers, n * 2);
        }
        traceThreads[n] = (byte) t.id;
        traceOps[n] = (byte) t.op;
        traceSites[n] = t.site;
        traceCallers[n] = t.callers;
        traceObjects[n] = t.object;
        traceIndices[n] = t.index;
        traceCount = n + 1;
        RaddleTrace.capture(n, t);
    }

    /** Notes what every thread is doing and which monitors are held. */
    static void noteThreads() {
        if (isOver) {
            return;
        }
        int n = RaddleModel.count;
        if (noteOps.length < n) {
            noteOps = new int[n];
            noteSites = new int[n];
            noteCallers = new int[n];
            noteObjects = new Object[n];
            noteBlockers = new Object[n];
            noteOwners = new Object[n];
        }
        for (int i = 0; i < n; i++) {
            RaddleThread t = RaddleModel.threads[i];
            // One that was notified wants nothing but the monitor.
            noteOps[i] = t.op == RaddleThread.WAITING && t.wasWoken() ? RaddleThread.ENTER : t.op;
            noteSites[i] = t.site;
            noteCallers[i] = t.callers;
            noteObjects[i] = t.object;
            Object blocker = t.op == RaddleThread.PARK ? RaddleFields.parkBlocker(t.thread) : null;
            noteBlockers[i] = blocker;
            noteOwners[i] = blocker instanceof AbstractOwnableSynchronizer
                    ? RaddleFields.owner((AbstractOwnableSynchronizer) blocker) : null;
        }
        noteCount = n;
        int held = RaddleModel.held;
        if (heldLocks == null || heldLocks.length < held) {
            heldLocks = new Object[held];
            heldBy = new int[held];
            heldSites = new int[held];
        }
        for (int i = 0; i < held; i++) {
            heldLocks[i] = RaddleModel.locks[i];
            heldBy[i] = RaddleModel.owners[i].id;
            heldSites[i] = RaddleModel.sites[i];
        }
        heldCount = held;
        noted = true;
    }

    private static int[] copy(int[] from, int size) {
        int[] to = new int[size];
        for (int i = 0; i < from.length; i++) {
            to[i] = from[i];
        }
        return to;
    }
}
