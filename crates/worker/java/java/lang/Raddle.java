package java.lang;

import jdk.internal.misc.InnocuousThread;
import jdk.internal.vm.annotation.ReservedStackAccess;

/**
 * What rewritten code calls. Each hook looks whether the calling thread is the controlled one that runs, and does
 * nothing otherwise.
 *
 * <p>There is no static initialiser here and there must not be one: the first calls come from the initialisers of the
 * first classes of the JVM.
 */
public final class Raddle {
    private Raddle() {
    }

    /** The controlled thread that runs; null when nobody is controlled. */
    static RaddleThread running;

    /** What virtual time counts from. */
    private static final long EPOCH_MILLIS = 1_700_000_000_000L;

    private static RaddleThread current() {
        RaddleThread t = running;
        return t != null && Thread.currentThread() == t.thread ? t : null;
    }

    private static void announce(RaddleThread t, int op, Object object, long index, int site) {
        t.op = op;
        t.object = object;
        t.index = index;
        t.site = site;
    }

    private static void point(RaddleThread t, int op, Object object, long index, int site) {
        if (t.zone > 0) {
            RaddleAccessSets.hidden(t);
            RaddleMeetings.blurred |= t.id > 0;
            return;
        }
        if (t.isAlone()) {
            return;
        }
        announce(t, op, object, index, site);
        RaddleScheduler.point(t, false);
    }

    // Accesses.

    public static void read(Object o, int site) {
        RaddleThread t = running;
        if (t != null && Thread.currentThread() == t.thread) {
            point(t, RaddleThread.READ, o, -1, site);
        }
    }

    public static void write(Object o, int site) {
        RaddleThread t = running;
        if (t != null && Thread.currentThread() == t.thread) {
            point(t, RaddleThread.WRITE, o, -1, site);
        }
    }

    public static void readStatic(int site) {
        RaddleThread t = running;
        if (t != null && Thread.currentThread() == t.thread) {
            point(t, RaddleThread.READ, null, -1, site);
        }
    }

    public static void writeStatic(int site) {
        RaddleThread t = running;
        if (t != null && Thread.currentThread() == t.thread) {
            point(t, RaddleThread.WRITE, null, -1, site);
        }
    }

    public static void readElement(Object array, int index, int site) {
        RaddleThread t = running;
        if (t != null && Thread.currentThread() == t.thread) {
            point(t, RaddleThread.READ, array, index, site);
        }
    }

    public static void writeElement(Object array, int index, int site) {
        RaddleThread t = running;
        if (t != null && Thread.currentThread() == t.thread) {
            point(t, RaddleThread.WRITE, array, index, site);
        }
    }

    public static void atomic(Object base, long offset, int site) {
        RaddleThread t = running;
        if (t != null && Thread.currentThread() == t.thread) {
            point(t, RaddleThread.ATOMIC, base, offset, site);
        }
    }

    public static void loop(int site) {
        RaddleThread t = running;
        if (t != null && Thread.currentThread() == t.thread) {
            point(t, RaddleThread.LOOP, null, -1, site);
        }
    }

    public static void arraycopy(Object from, int fromIndex, Object to, int toIndex, int length, int site) {
        RaddleThread t = current();
        if (t != null) {
            point(t, RaddleThread.READ, from, RaddleThread.ALL_ELEMENTS, site);
            point(t, RaddleThread.WRITE, to, RaddleThread.ALL_ELEMENTS, site);
        }
        System.arraycopy(from, fromIndex, to, toIndex, length);
    }

    // Monitors. The model comes first, so that the real monitor is free when it is entered.

    @ReservedStackAccess
    public static void enter(Object o, int site) {
        RaddleThread t = current();
        if (t == null || o == null) {
            return;
        }
        if ((t.zone > 0 || t.isAlone()) && RaddleModel.isFree(o, t)) {
            RaddleAccessSets.hidden(t);
            RaddleModel.acquire(o, t, 1, site);
            return;
        }
        announce(t, RaddleThread.ENTER, o, -1, site);
        RaddleScheduler.point(t, false);
        RaddleModel.acquire(o, t, 1, site);
    }

    @ReservedStackAccess
    public static void exit(Object o, int site) {
        RaddleThread t = current();
        if (t == null) {
            return;
        }
        RaddleModel.release(o, t);
        if (t.zone == 0 && !t.isAlone()) {
            announce(t, RaddleThread.EXIT, o, -1, site);
            RaddleScheduler.quietPoint(t);
        } else {
            RaddleAccessSets.hidden(t);
        }
    }

    public static void waitOn(Object o, int site) throws InterruptedException {
        waitOn(o, 0L, site);
    }

    public static void waitOn(Object o, long millis, int nanos, int site) throws InterruptedException {
        if (millis < 0 || nanos < 0 || nanos > 999_999) {
            o.wait(millis, nanos);
        }
        waitOn(o, nanos > 0 && millis < Long.MAX_VALUE ? millis + 1 : millis, site);
    }

    public static void waitOn(Object o, long millis, int site) throws InterruptedException {
        RaddleThread t = current();
        if (t == null || o == null || millis < 0 || RaddleModel.owner(o) != t) {
            o.wait(millis);
            return;
        }
        point(t, RaddleThread.WAIT, o, -1, site);
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        announce(t, RaddleThread.WAITING, o, -1, site);
        t.depth = RaddleModel.releaseAll(o);
        t.waitNumber = RaddleModel.nextWait();
        t.notified = false;
        t.interrupted = false;
        t.deadline = millis == 0 ? RaddleThread.NEVER : deadline(millis);
        RaddleScheduler.point(t, false);
        t.deadline = RaddleThread.NEVER;
        t.op = RaddleThread.BEGIN;
        RaddleModel.acquire(o, t, t.depth, site);
        boolean interrupted = t.interrupted;
        t.interrupted = false;
        if (t.notified) {
            if (interrupted) {
                t.thread.interrupt();
            }
        } else if (interrupted || t.thread.isInterrupted()) {
            Thread.interrupted();
            throw new InterruptedException();
        }
    }

    public static void notifyOne(Object o, int site) {
        RaddleThread t = current();
        if (t == null || o == null || RaddleModel.owner(o) != t) {
            o.notify();
            return;
        }
        point(t, RaddleThread.NOTIFY, o, -1, site);
        if (!RaddleModel.notifyOne(o)) {
            o.notify();
        }
    }

    public static void notifyAll(Object o, int site) {
        RaddleThread t = current();
        if (t == null || o == null || RaddleModel.owner(o) != t) {
            o.notifyAll();
            return;
        }
        point(t, RaddleThread.NOTIFY, o, -1, site);
        while (RaddleModel.notifyOne(o)) {
            // All of them.
        }
        o.notifyAll();
    }

    // Parking.

    public static void park(Object unsafe, boolean absolute, long time, int site) {
        RaddleThread t = current();
        if (t == null) {
            RaddleScheduler.realPark(absolute, time);
            return;
        }
        if (absolute) {
            t.deadline = deadline(time - EPOCH_MILLIS - RaddleModel.clock / 1_000_000);
        } else {
            t.deadline = time == 0 ? RaddleThread.NEVER : RaddleModel.after(time);
        }
        announce(t, RaddleThread.PARK, t, -1, site);
        RaddleScheduler.point(t, false);
        t.deadline = RaddleThread.NEVER;
        t.permit = false;
        t.op = RaddleThread.BEGIN;
    }

    public static void unpark(Object unsafe, Object thread, int site) {
        RaddleThread t = current();
        RaddleThread target = thread == null ? null : RaddleModel.of(thread);
        if (t == null || target == null) {
            if (target != null) {
                // A thread that is not controlled, such as that of the finalizers, had a lock that a controlled one waits for.
                target.permit = true;
            }
            RaddleScheduler.realUnpark(thread);
            return;
        }
        point(t, RaddleThread.UNPARK, target, -1, site);
        target.permit = true;
    }

    // Threads.

    public static void starting(Thread thread, int site) {
        RaddleThread t = current();
        // The JDK's own helpers, such as the cleaner, serve all runs and must not end with one.
        if (t != null && !(thread instanceof InnocuousThread)) {
            if (RaddleScheduler.aborting) {
                // A pool replaces a worker that ends by an error, and would do so for ever.
                RaddleScheduler.throwAbort(t);
            }
            t.alone = 0;
            RaddleAccessSets.hidden(t);
            RaddleThread added = RaddleModel.add(thread);
            added.startedIn = t.call == RaddleThread.NO_CALL ? t.startedIn : t.call;
            RaddleEngine.seed(added);
            RaddlePolicy.joined(added);
        }
    }

    /**
     * Called on a new thread before it does anything. That nobody is controlled at this moment does not mean that there is
     * no run: the thread that started it may be in code of the runtime's own.
     */
    static void began(Thread thread) {
        if (!RaddleScheduler.isUnderWay()) {
            return;
        }
        RaddleThread t = RaddleModel.of(thread);
        if (t != null && t.op == RaddleThread.BEGIN) {
            RaddleEngine.pin();
            RaddleScheduler.await(t);
        }
    }

    /** The same, where code says so and not the JVM. */
    public static void began(Thread thread, int site) {
        began(thread);
    }

    /**
     * Nothing in the thread has caught this. True if nobody else is to be told: it is the end of the run, or no handler was
     * set, and then the JVM would print it.
     */
    public static boolean uncaught(Thread thread, Throwable thrown, int site) {
        RaddleThread t = current();
        if (t == null) {
            return false;
        }
        if (thrown instanceof RaddleAbort || RaddleScheduler.aborting) {
            return true;
        }
        ThreadGroup group = thread.getThreadGroup();
        boolean isHandled = Thread.getDefaultUncaughtExceptionHandler() != null
                || thread.getUncaughtExceptionHandler() != group
                || group != null && group.getClass() != ThreadGroup.class;
        if (!isHandled) {
            RaddleRecord.uncaught(t, thrown);
        }
        return !isHandled;
    }

    /** A thread has come to its very end. */
    public static void ended() {
        RaddleThread t = current();
        if (t != null) {
            RaddleScheduler.leave(t);
        }
    }

    /** True if the wait is over. */
    public static boolean join(Thread thread, long millis, int site) throws InterruptedException {
        RaddleThread t = current();
        RaddleThread target = t == null ? null : RaddleModel.of(thread);
        if (target == null || millis < 0) {
            return false;
        }
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        t.deadline = millis == 0 ? RaddleThread.NEVER : deadline(millis);
        block(t, RaddleThread.JOIN, target, site);
        return true;
    }

    public static boolean isAlive(Thread thread, int site) {
        RaddleThread t = current();
        RaddleThread target = t == null ? null : RaddleModel.of(thread);
        if (target == null) {
            return thread.isAlive();
        }
        point(t, RaddleThread.READ, target, -1, site);
        return target.op != RaddleThread.FINISHED;
    }

    public static void interrupting(Thread thread, int site) {
        RaddleThread t = current();
        RaddleThread target = t == null ? null : RaddleModel.of(thread);
        if (target != null) {
            point(t, RaddleThread.INTERRUPT, target, -1, site);
            if (target.op == RaddleThread.WAITING) {
                target.interrupted = true;
            }
        }
    }

    public static void sleep(long millis, int nanos, int site) throws InterruptedException {
        if (millis < 0 || nanos < 0 || nanos > 999_999) {
            Thread.sleep(millis, nanos);
        }
        sleep(nanos > 0 && millis < Long.MAX_VALUE ? millis + 1 : millis, site);
    }

    public static void sleep(long millis, int site) throws InterruptedException {
        RaddleThread t = current();
        if (t == null || millis < 0) {
            Thread.sleep(millis);
            return;
        }
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        if (millis == 0) {
            Raddle.yield(site);
            return;
        }
        t.deadline = deadline(millis);
        block(t, RaddleThread.SLEEP, null, site);
    }

    /** An operation that is over when something happens, when time is up, or by an interrupt. */
    private static void block(RaddleThread t, int op, Object on, int site) throws InterruptedException {
        announce(t, op, on, -1, site);
        RaddleScheduler.point(t, false);
        boolean timedOut = t.timedOut();
        t.deadline = RaddleThread.NEVER;
        t.op = RaddleThread.BEGIN;
        boolean over = timedOut || op == RaddleThread.JOIN && ((RaddleThread) on).op == RaddleThread.FINISHED;
        if (!over && Thread.interrupted()) {
            throw new InterruptedException();
        }
    }

    public static void yield(int site) {
        RaddleThread t = current();
        if (t != null && t.zone == 0) {
            announce(t, RaddleThread.YIELD, null, -1, site);
            RaddleScheduler.point(t, true);
        }
    }

    // Time and chance.

    private static long deadline(long millis) {
        return millis > Long.MAX_VALUE / 1_000_000 ? RaddleThread.NEVER : RaddleModel.after(millis * 1_000_000);
    }

    public static long nanoTime(int site) {
        RaddleThread t = current();
        if (t == null) {
            return System.nanoTime();
        }
        RaddleAccessSets.hidden(t);
        return RaddleModel.ask();
    }

    /** Nanoseconds since a second of the epoch; -1 if that is too far away. */
    public static long nanoTimeAdjustment(long offset, int site) {
        if (current() == null) {
            return jdk.internal.misc.VM.getNanoTimeAdjustment(offset);
        }
        long millis = currentTimeMillis(site);
        long seconds = Math.floorDiv(millis, 1000L) - offset;
        if (seconds >= 1L << 32 || seconds <= -(1L << 32)) {
            return -1;
        }
        return seconds * 1_000_000_000L + Math.floorMod(millis, 1000L) * 1_000_000L;
    }

    public static long currentTimeMillis(int site) {
        RaddleThread t = current();
        if (t == null) {
            return System.currentTimeMillis();
        }
        RaddleAccessSets.hidden(t);
        return EPOCH_MILLIS + RaddleModel.ask() / 1_000_000;
    }

    // In place of the methods of the same names where a method handle refers to them: {@code System::nanoTime}.

    public static long nanoTime() {
        return nanoTime(0);
    }

    public static long currentTimeMillis() {
        return currentTimeMillis(0);
    }

    public static double random() {
        return random(0);
    }

    public static void sleep(long millis) throws InterruptedException {
        sleep(millis, 0);
    }

    public static void yield() {
        Raddle.yield(0);
    }

    /** In place of the time where it only is the seed of an iteration order, or is counted. */
    public static long salt(int site) {
        return 0x5EED;
    }

    /** In place of the time in the seed of a {@code new Random()}. */
    public static long chance(int site) {
        RaddleThread t = current();
        if (t == null) {
            return System.nanoTime();
        }
        RaddleAccessSets.hidden(t);
        return RaddleModel.draw(t);
    }

    /** In place of what makes every {@code new Random()} different; {@link #chance} still does. */
    public static long seed(int site) {
        return 8682522807148012L;
    }

    /** Whether a loop over interleavings goes round: once in every run. */
    public static boolean firstRound(Object loop) {
        return RaddleModel.isFirstRound(loop);
    }

    /** In place of what the machine has of chance: true if the bytes are there. */
    public static boolean entropy(byte[] bytes, int site) {
        RaddleThread t = current();
        if (t == null || bytes == null) {
            return false;
        }
        RaddleAccessSets.hidden(t);
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) RaddleModel.draw(t);
        }
        return true;
    }

    public static double random(int site) {
        RaddleThread t = current();
        if (t == null) {
            return Math.random();
        }
        RaddleAccessSets.hidden(t);
        return (RaddleModel.draw(t) >>> 11) * 0x1.0p-53;
    }

    // The JVM.

    public static void exiting(int code, int site) {
        RaddleThread t = current();
        if (t != null) {
            if (!RaddleScheduler.aborting) {
                t.site = site;
                RaddleScheduler.endRun(RaddleScheduler.EXIT, code, t);
            }
            RaddleScheduler.throwAbort(t);
        }
    }

    // Calls of code that is not interleaved: one step each, which touches all of what they are about.

    public static void called(Object o, int site) {
        RaddleThread t = running;
        if (t != null && Thread.currentThread() == t.thread) {
            point(t, RaddleThread.WRITE, o, RaddleThread.ALL_STATE, site);
        }
    }

    public static void asked(Object o, int site) {
        RaddleThread t = running;
        if (t != null && Thread.currentThread() == t.thread) {
            point(t, RaddleThread.READ, o, RaddleThread.ALL_STATE, site);
        }
    }

    public static void calledStatic(int site) {
        called(null, site);
    }

    public static void askedStatic(int site) {
        asked(null, site);
    }

    public static void passed(Object array, int site) {
        RaddleThread t = running;
        if (t != null && Thread.currentThread() == t.thread) {
            point(t, RaddleThread.READ, array, RaddleThread.ALL_ELEMENTS, site);
        }
    }

    public static void filled(Object array, int site) {
        RaddleThread t = running;
        if (t != null && Thread.currentThread() == t.thread) {
            point(t, RaddleThread.WRITE, array, RaddleThread.ALL_ELEMENTS, site);
        }
    }

    public static void reflected(Object o, int site) {
        reflect(RaddleThread.WRITE, o, site);
    }

    public static void inspected(Object o, int site) {
        reflect(RaddleThread.READ, o, site);
    }

    private static void reflect(int op, Object o, int site) {
        RaddleThread t = current();
        if (t == null) {
            return;
        }
        if (o != null) {
            point(t, op, o, RaddleThread.ALL_STATE, site);
            return;
        }
        // A static field, of which it is not known which.
        RaddleAccessSets.hidden(t);
        if (t.zone == 0 && t.alone == 0) {
            RaddleUnseen.add(site);
        }
    }

    public static void zoneEnter() {
        RaddleThread t = current();
        if (t != null) {
            t.zone++;
        }
    }

    public static void zoneExit() {
        RaddleThread t = current();
        if (t != null && t.zone > 0) {
            t.zone--;
        }
    }

    /** Called at the end of the initialiser of a class whose static state is made anew. */
    public static void initialised(Class<?> type) {
        RaddleStatics.initialised(type);
    }

    /** An instruction is about to use a class that is initialised in the run, by this static member or constructor. */
    public static void touched(Class<?> type, String member, int site) throws Throwable {
        RaddleThread t = current();
        if (t != null) {
            RaddleInitialiser.touched(t, type, member, site);
        }
    }

    /** A static method or a constructor of such a class begins. */
    public static void entered(Class<?> type, int site) throws Throwable {
        RaddleThread t = current();
        if (t != null) {
            RaddleInitialiser.entered(t, type, site);
        }
    }

    // Lowered plans.

    public static void begin(int call) {
        RaddleRecord.began(call);
        RaddleThread t = current();
        if (t != null) {
            RaddleMeetings.began(t, call);
            point(t, RaddleThread.CALL, null, call, 0);
        }
    }

    public static void returned(int call, Object value) {
        if (RaddleScheduler.aborting && current() != null) {
            // The call has caught the end of the run, and what it returns means nothing.
            throw RaddleScheduler.abort;
        }
        callEnded();
        RaddleRecord.returned(call, value);
    }

    private static void callEnded() {
        RaddleThread t = current();
        if (t != null) {
            RaddleModel.releaseAllOf(t);
            RaddleMeetings.ended(t);
            t.zone = 0;
        }
    }

    public static void threw(int call, Throwable thrown) throws Throwable {
        if (thrown instanceof RaddleAbort || (RaddleScheduler.aborting && current() != null)) {
            throw RaddleScheduler.abort;
        }
        callEnded();
        RaddleRecord.threw(call, thrown);
        if (RaddleEngine.inPrefix) {
            throw thrown;
        }
    }
}
