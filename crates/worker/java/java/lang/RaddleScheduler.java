package java.lang;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.ReservedStackAccess;

/**
 * Passes the baton. Exactly one controlled thread runs at a time: the one that {@link Raddle#running} names; every
 * other is in {@link #await}, in a real wait, or has ended.
 *
 * <p>Methods that leave the model half changed when they are cut short by a stack overflow are marked
 * {@code ReservedStackAccess}, which gives them a little more stack.
 */
final class RaddleScheduler {
    private RaddleScheduler() {
    }

    static final int COMPLETED = 0;
    static final int STUCK = 1;
    static final int STEP_BOUND = 2;
    static final int EXIT = 3;
    static final int DIVERGED = 4;
    static final int PREFIX_THREW = 5;
    static final int POISONED = 6;
    static final int UNSUPPORTED = 7;

    /** A thread that goes on so often after its run was ended will never stop. */
    private static final int STUBBORN = 1000;

    /**
     * So many points a thread may pass when its run is over, and after the end was thrown into it: locks of the platform that
     * it does not give back would be missing in later runs.
     */
    static final int GRACE = 1000;
    /** So often the end may be thrown into a thread before it is thrown at every point. */
    private static final int GRACES = 4;

    static Unsafe unsafe;
    static RaddleAbort abort;
    private static long progressAddress;
    private static long progress;

    /** Who may run. Read by waiting threads, so volatile; {@link Raddle#running} is its cheap twin. */
    private static volatile RaddleThread baton;

    static int steps;
    static int maxSteps;
    /**
     * Of a plan with one thread, steps at which no other thread could run, and how many of them are not held against it: a
     * test may prepare and look at a lot by itself, and the bound is for threads that never come to an end together.
     */
    static int undisputed;
    private static int mostUndisputed;
    private static final int UNDISPUTED_PART = 9;
    private static final int MOST_UNDISPUTED = 1 << 21;
    static long switches;
    static boolean aborting;
    static int end;
    /** The exit code, or the step. A number, since making a text would call rewritten code. */
    static int endDetail;
    /** A thread could not be brought to an end, or a class was left half initialised. */
    static boolean poisoned;

    static void init() {
        unsafe = Unsafe.getUnsafe();
        abort = new RaddleAbort();
        progressAddress = RaddleNative.progressAddress();
    }

    static void reset(int bound) {
        RaddleProbe.reset();
        RaddleLeftOver.reset();
        steps = 0;
        maxSteps = bound;
        undisputed = 0;
        int most = bound < MOST_UNDISPUTED ? bound * UNDISPUTED_PART : MOST_UNDISPUTED;
        most = Math.min(Math.min(most, MOST_UNDISPUTED), RaddleEngine.mostSteps() - bound);
        mostUndisputed = RaddleEngine.workers.length == 1 ? Math.max(most, 0) : 0;
        aborting = false;
        end = COMPLETED;
        endDetail = 0;
    }

    static void tick() {
        unsafe.putLong(progressAddress, ++progress);
    }

    /** Ends whatever is left of a run, after which only the main thread is there. */
    static void endOthers(RaddleThread main) {
        aborting = true;
        main.op = RaddleThread.JOIN_ALL;
        for (RaddleThread next = nextToEnd(); next != main; next = nextToEnd()) {
            pass(next);
            await(main);
        }
    }

    /** The main thread takes the baton at the beginning of a run. */
    static void take(RaddleThread main) {
        baton = main;
        Raddle.running = main;
    }

    /** Whether there is a run whose threads are controlled. */
    static boolean isUnderWay() {
        return baton != null;
    }

    /** Nobody is controlled any more. */
    static void drop() {
        Raddle.running = null;
        baton = null;
    }

    /** Waits for the baton. */
    static void await(RaddleThread me) {
        while (baton != me) {
            unsafe.park(false, 0L);
            // With the interrupt flag set, park returns at once.
            if (baton != me && me.thread.isInterrupted()) {
                Thread.yield();
            }
        }
    }

    /**
     * Waits for the baton, which is true, or for a round of uncontrolled runs after that one.
     */
    static boolean awaitWork(RaddleThread me, int round) {
        while (baton != me) {
            if (RaddleStress.round != round) {
                return false;
            }
            unsafe.park(false, 0L);
        }
        return true;
    }

    /**
     * A scheduling point: {@code t}, which runs, has announced an operation. Returns when it may do it.
     */
    @ReservedStackAccess
    static void point(RaddleThread t, boolean yields) {
        if (aborting) {
            end(t);
            return;
        }
        if (RaddleRecord.traces && RaddleRecord.recordsCallers) {
            t.callers = RaddleNative.callers();
        }
        RaddlePolicy.announced(t);
        RaddleThread next = decide(t, yields);
        if (next != t) {
            pass(next);
            if (t.op == RaddleThread.WAITING) {
                reallyWait(t);
            } else {
                await(t);
            }
        }
        if (aborting) {
            end(t);
        }
    }

    /**
     * Ends a thread whose run is over, or lets it go on for a while: out of code of the platform, which may be about to take
     * a lock, and through what it does in {@code finally}.
     */
    private static void end(RaddleThread t) {
        if (!t.goesOnToTheEnd() || t.aborts == 0 && !isInPlatform(t)) {
            throwAbort(t);
        }
    }

    /** A power of two. */
    private static final int REMEMBERED = 256;
    /** Places whose owner was looked up lately, each where its number says. */
    private static final int[] sites = new int[REMEMBERED];
    private static final boolean[] arePlatforms = new boolean[REMEMBERED];

    /**
     * Whether it is code of the platform that has come to a point. A walk through the stack is slow, and idle threads of a
     * pool come to the same few places hundreds of times.
     */
    private static boolean isInPlatform(RaddleThread t) {
        int at = t.site & REMEMBERED - 1;
        if (t.site == 0 || sites[at] != t.site) {
            sites[at] = t.site;
            arePlatforms[at] = isCalledByPlatform(t);
        }
        return arePlatforms[at];
    }

    private static boolean isCalledByPlatform(RaddleThread t) {
        Raddle.running = null;
        try {
            for (StackTraceElement frame : new Throwable().getStackTrace()) {
                if (!frame.getClassName().startsWith("java.lang.Raddle")) {
                    return frame.getModuleName() != null;
                }
            }
            return false;
        } finally {
            Raddle.running = t;
        }
    }

    /** As {@link #point}, for places that must not throw. */
    @ReservedStackAccess
    static void quietPoint(RaddleThread t) {
        if (aborting) {
            return;
        }
        if (RaddleRecord.traces && RaddleRecord.recordsCallers) {
            t.callers = RaddleNative.callers();
        }
        RaddlePolicy.announced(t);
        RaddleThread next = decide(t, false);
        if (next != t) {
            pass(next);
            await(t);
        }
    }

    /** Picks the next thread; ends the run, and picks a thread to end, when there is none. */
    private static RaddleThread decide(RaddleThread t, boolean yields) {
        if (RaddleProbe.isOn) {
            RaddleThread next = RaddleProbe.pick(t);
            return next == null ? endRun(STUCK, 0, t) : next;
        }
        if (steps - Math.min(undisputed, mostUndisputed) >= maxSteps) {
            return endRun(STEP_BOUND, 0, t);
        }
        RaddleThread next = RaddlePolicy.pick(steps, t, yields);
        if (next == null && RaddleLeftOver.waitForOthers()) {
            return decide(t, yields);
        }
        if (next == null) {
            RaddleRecord.noteThreads();
            if (RaddleProbe.begin()) {
                return decide(t, yields);
            }
            return endRun(STUCK, 0, t);
        }
        if (RaddlePolicy.diverged) {
            return endRun(DIVERGED, steps, t);
        }
        if (next != t) {
            switches++;
        }
        if (next != t || RaddlePolicy.staysAgainstRule) {
            RaddleRecord.switched(steps, next.id);
        }
        RaddleRecord.executes(next);
        if ((++steps & 0xfff) == 0) {
            // Long runs without a switch are no standstill.
            tick();
        }
        return next;
    }

    /**
     * Ends the run. What every thread is doing is noted first; then they are ended one after the other, beginning with
     * the one that runs.
     */
    static RaddleThread endRun(int how, int detail, RaddleThread t) {
        end = how;
        endDetail = detail;
        aborting = true;
        if (RaddleProbe.isOn) {
            RaddleProbe.end();
        } else {
            RaddleRecord.noteThreads();
        }
        return t.op == RaddleThread.FINISHED || t.op == RaddleThread.JOIN_ALL ? nextToEnd() : t;
    }

    /**
     * The next thread to end. One that is parked may want a lock that others have, and one in a real wait can only come back
     * while its monitor is free, so those are last; the main thread, which began all, is the very last.
     */
    static RaddleThread nextToEnd() {
        RaddleThread parked = null;
        RaddleThread waiting = null;
        for (int i = 1; i < RaddleModel.count; i++) {
            RaddleThread t = RaddleModel.threads[i];
            if (t.op == RaddleThread.FINISHED) {
                continue;
            }
            if (t.inRealWait) {
                waiting = waiting == null ? t : waiting;
            } else if (t.op == RaddleThread.PARK) {
                parked = parked == null ? t : parked;
            } else {
                return t;
            }
        }
        if (parked != null) {
            return parked;
        }
        return waiting == null ? RaddleModel.threads[0] : waiting;
    }

    static void throwAbort(RaddleThread t) {
        if (t.zone > 0) {
            // The error may leave a class that can never be used again.
            poisoned = true;
        }
        if (++t.aborts > STUBBORN) {
            poisoned = true;
            leave(t);
            for (;;) {
                unsafe.park(false, 0L);
            }
        }
        t.grace = t.aborts < GRACES ? GRACE : 0;
        throw abort;
    }

    /** Hands the baton on. */
    @ReservedStackAccess
    static void pass(RaddleThread next) {
        tick();
        Raddle.running = next;
        if (next.inRealWait) {
            Object monitor = next.object;
            // Taken only for a moment: the model has it free, or the run is being ended. The baton is handed over inside:
            // a waiting thread looks at it whenever another one is woken, and would go on with the monitor before this
            // thread has had it.
            synchronized (monitor) {
                baton = next;
                monitor.notifyAll();
            }
        } else {
            baton = next;
            unsafe.unpark(next.thread);
        }
    }

    /**
     * Waits for real, which gives the real monitor up. The baton has been passed already: the next thread may find
     * the monitor still taken for a moment, which is harmless.
     */
    private static void reallyWait(RaddleThread t) {
        t.inRealWait = true;
        while (baton != t) {
            try {
                t.object.wait();
            } catch (InterruptedException e) {
                t.interrupted = true;
            }
        }
        t.inRealWait = false;
    }

    /** For threads that are not controlled. Two classes are called Unsafe; both lead to the same place. */
    static void realPark(boolean absolute, long time) {
        unsafe().park(absolute, time);
    }

    static void realUnpark(Object thread) {
        unsafe().unpark(thread);
    }

    /** Threads park before the engine is there. */
    private static Unsafe unsafe() {
        return unsafe == null ? Unsafe.getUnsafe() : unsafe;
    }

    /** The thread is done; whoever is next runs on. Returns without the baton. */
    @ReservedStackAccess
    static void leave(RaddleThread t) {
        t.op = RaddleThread.FINISHED;
        t.object = null;
        RaddleThread next = aborting ? nextToEnd() : decide(t, false);
        pass(next);
    }
}
