package java.lang;

/**
 * The state of a run that decides who can go on: threads, monitors, virtual time. Touched only by the thread that
 * holds the baton, so nothing here is synchronized.
 *
 * <p>Monitors are few at any moment, so they are found by looking at all of them: identity hash codes are no help,
 * since workers run with constant ones.
 */
final class RaddleModel {
    private RaddleModel() {
    }

    /** Controlled threads by id; the first {@link #count} take part. */
    static RaddleThread[] threads;
    static int count;
    /** Ids 1 to this are the plan's own threads. */
    static int planThreads;

    /** Held monitors. */
    static Object[] locks;
    static RaddleThread[] owners;
    static int[] depths;
    static int[] sites;
    static int held;

    /** Virtual nanoseconds since the beginning of the run. */
    static long clock;
    /** How much passes whenever somebody asks, and how often it may be asked for before it passes at all. */
    private static final long TICK_NANOS = 1_000;
    private static final long FASTER_NANOS = 37_000;
    private static final int STANDING = 1000;
    private static long tick;
    private static int standing;
    /** Whether anybody has asked since the plan was loaded, or waited for a limited time. */
    static boolean asksTime;
    /** How many random numbers were drawn. */
    private static long draws;
    /**
     * What depends on who draws first differs in the second pass of the sequential orders, as what depends on the speed of the
     * clock does. What is drawn before the threads begin is the same in all runs.
     */
    private static long otherDraws;
    private static final long OTHER_DRAWS = 1L << 32;
    private static long waits;

    /** The loops over interleavings that have gone round in this run; those that come after so many do not. */
    private static Object[] loops;
    private static int loopCount;

    static void init(int capacity) {
        loops = new Object[1024];
        threads = new RaddleThread[capacity];
        locks = new Object[64];
        owners = new RaddleThread[64];
        depths = new int[64];
        sites = new int[64];
    }

    static boolean isFirstRound(Object loop) {
        for (int i = 0; i < loopCount; i++) {
            if (loops[i] == loop) {
                return false;
            }
        }
        if (loopCount == loops.length) {
            return false;
        }
        loops[loopCount++] = loop;
        return true;
    }

    static void reset() {
        for (int i = 0; i < held; i++) {
            locks[i] = null;
            owners[i] = null;
        }
        held = 0;
        while (loopCount > 0) {
            loops[--loopCount] = null;
        }
        clock = 0;
        waits = 0;
        boolean isSerial = RaddlePolicy.kind == RaddlePolicy.SERIAL;
        boolean isFaster = isSerial && RaddleSerial.clock == RaddleSerial.FASTER;
        draws = 0;
        otherDraws = isFaster ? OTHER_DRAWS : 0;
        tick = isFaster ? FASTER_NANOS : TICK_NANOS;
        standing = isSerial && RaddleSerial.clock == RaddleSerial.STANDING ? STANDING : 0;
    }

    /** Somebody asks for the time. */
    static long ask() {
        asksTime = true;
        if (standing > 0) {
            standing--;
        } else {
            clock += tick;
        }
        return clock;
    }

    /** The next number of the run's own chance. */
    static long draw(RaddleThread t) {
        long z = (++draws + (t.id == 0 ? 0 : otherDraws)) * 0x9E3779B97F4A7C15L;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }

    /** The controlled thread behind a Java thread, or null. */
    static RaddleThread of(Object thread) {
        for (int i = 0; i < count; i++) {
            if (threads[i].thread == thread) {
                return threads[i];
            }
        }
        return null;
    }

    static RaddleThread add(Thread thread) {
        if (count == threads.length) {
            growThreads();
        }
        RaddleThread added = new RaddleThread(count);
        added.thread = thread;
        added.reset(RaddleThread.BEGIN);
        threads[count++] = added;
        return added;
    }

    static void growThreads() {
        RaddleThread[] more = new RaddleThread[threads.length * 2];
        for (int i = 0; i < threads.length; i++) {
            more[i] = threads[i];
        }
        threads = more;
    }

    static boolean planThreadsFinished() {
        for (int i = 1; i <= planThreads; i++) {
            if (threads[i].op != RaddleThread.FINISHED) {
                return false;
            }
        }
        return true;
    }

    /** Whether the main thread is the only one left. */
    static boolean othersFinished() {
        for (int i = 1; i < count; i++) {
            if (threads[i].op != RaddleThread.FINISHED) {
                return false;
            }
        }
        return true;
    }

    private static int find(Object lock) {
        for (int i = 0; i < held; i++) {
            if (locks[i] == lock) {
                return i;
            }
        }
        return -1;
    }

    static RaddleThread owner(Object lock) {
        int at = find(lock);
        return at < 0 ? null : owners[at];
    }

    static boolean isFree(Object lock, RaddleThread wanting) {
        RaddleThread owner = owner(lock);
        return owner == null || owner == wanting;
    }

    static void acquire(Object lock, RaddleThread by, int depth, int site) {
        int at = find(lock);
        if (at >= 0) {
            depths[at] += depth;
            return;
        }
        if (held == locks.length) {
            growLocks();
        }
        locks[held] = lock;
        owners[held] = by;
        depths[held] = depth;
        sites[held] = site;
        held++;
    }

    /** Releases one entry of a monitor. */
    static void release(Object lock, RaddleThread by) {
        int at = find(lock);
        if (at >= 0 && owners[at] == by && --depths[at] == 0) {
            remove(at);
        }
    }

    /** Releases a monitor however often it was entered, and says how often that was. */
    static int releaseAll(Object lock) {
        int at = find(lock);
        int depth = depths[at];
        remove(at);
        return depth;
    }

    /**
     * Releases all monitors of a thread that is between two calls of the plan. It really holds none there; the model
     * may think so when a stack overflow cut a hook short.
     */
    static void releaseAllOf(RaddleThread t) {
        for (int i = held - 1; i >= 0; i--) {
            if (owners[i] == t) {
                RaddleAccessSets.hidden(t);
                remove(i);
            }
        }
    }

    /** Keeps the order of acquisition, which is what people read in a report. */
    private static void remove(int at) {
        held--;
        for (int i = at; i < held; i++) {
            locks[i] = locks[i + 1];
            owners[i] = owners[i + 1];
            depths[i] = depths[i + 1];
            sites[i] = sites[i + 1];
        }
        locks[held] = null;
        owners[held] = null;
    }

    private static void growLocks() {
        int size = held * 2;
        Object[] newLocks = new Object[size];
        RaddleThread[] newOwners = new RaddleThread[size];
        int[] newDepths = new int[size];
        int[] newSites = new int[size];
        for (int i = 0; i < held; i++) {
            newLocks[i] = locks[i];
            newOwners[i] = owners[i];
            newDepths[i] = depths[i];
            newSites[i] = sites[i];
        }
        locks = newLocks;
        owners = newOwners;
        depths = newDepths;
        sites = newSites;
    }

    static long nextWait() {
        return ++waits;
    }

    /** Marks the thread that has waited longest as notified, as HotSpot does. False if none waits. */
    static boolean notifyOne(Object lock) {
        RaddleThread first = null;
        for (int i = 0; i < count; i++) {
            RaddleThread t = threads[i];
            if (t.op == RaddleThread.WAITING && t.object == lock && !t.notified
                    && (first == null || t.waitNumber < first.waitNumber)) {
                first = t;
            }
        }
        if (first == null) {
            return false;
        }
        first.notified = true;
        return true;
    }

    /** The virtual time of a deadline that far away. */
    static long after(long nanos) {
        asksTime = true;
        long at = clock + nanos;
        return at < clock ? RaddleThread.NEVER : at;
    }

    /** When no thread can run, time passes until one can. False if none ever will. */
    static boolean advanceClock() {
        long first = RaddleThread.NEVER;
        for (int i = 0; i < count; i++) {
            RaddleThread t = threads[i];
            // A thread that has timed out and still cannot run waits for a monitor, not for time.
            if (t.op != RaddleThread.FINISHED && t.deadline < first && t.deadline > clock) {
                first = t.deadline;
            }
        }
        if (first == RaddleThread.NEVER) {
            return false;
        }
        clock = first;
        RaddleLeftOver.timePassed();
        return true;
    }
}
