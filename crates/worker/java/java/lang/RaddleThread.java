package java.lang;

/**
 * What the model knows of one controlled thread: above all the operation it is about to do.
 *
 * <p>A thread announces an operation, and does it when it is picked. Whether it can be picked depends on the operation
 * alone, so there is no separate notion of a blocked thread.
 */
final class RaddleThread {
    static final int BEGIN = 0;
    static final int READ = 1;
    static final int WRITE = 2;
    static final int ATOMIC = 3;
    static final int ENTER = 4;
    static final int EXIT = 5;
    /** About to wait: the monitor is still held. */
    static final int WAIT = 6;
    /** Waiting: in the wait set, or on the way out of it. */
    static final int WAITING = 7;
    static final int NOTIFY = 8;
    static final int PARK = 9;
    static final int UNPARK = 10;
    static final int SLEEP = 11;
    static final int YIELD = 12;
    static final int JOIN = 13;
    static final int START = 14;
    static final int LOOP = 15;
    static final int CALL = 16;
    static final int INTERRUPT = 17;
    /** The main thread waits for the plan's threads, and for what they have started. */
    static final int JOIN_ALL = 18;
    static final int FINISHED = 19;

    static final int NO_CALL = -1;
    static final long NEVER = Long.MAX_VALUE;
    /** In place of an index: of a copy from or to an array. */
    static final long ALL_ELEMENTS = -2;
    /** In place of an index: of a call of code that is not interleaved. Without an object, the static state of its class. */
    static final long ALL_STATE = -3;

    final int id;
    Thread thread;

    /** The operation it is about to do, and on what. */
    int op;
    Object object;
    long index;
    int site;
    /** How it came there, if that is asked for; see {@link RaddleNative#callers}. */
    int callers;

    /** The virtual time at which the operation gives up waiting. */
    long deadline;
    /** Of {@link #WAITING}: how often the monitor was entered, and the place in the wait set. */
    int depth;
    long waitNumber;
    boolean notified;
    /** Interrupted while in {@link #WAITING}, where the real flag is lost to the real wait. */
    boolean interrupted;
    /** Whether it really is in {@code Object.wait}, from where only a notification brings it back. */
    volatile boolean inRealWait;
    boolean permit;
    /** More than 0: no switches, since the JVM may hold locks that the model cannot see. */
    int zone;
    /** More than 0: there is no other thread, so nothing to decide at so many more points. */
    int alone;
    /** Of sequential runs: how often it has yielded in its call, and whether it waits for others to go on. */
    int yields;
    boolean spins;
    /** How often the run's end was thrown into it. */
    int aborts;
    /** How many more points it may pass on its way out. */
    int grace;
    /** The call of the plan that it is in, and how much of that it has done. */
    int call;
    int stepsOfCall;
    /** Of threads that others start: the call of the plan that they come from. */
    int startedIn;
    /** Where that call was before, and before that; 0 at its beginning. */
    int lastSite;
    int siteBefore;
    /** Of the PCT and POS policies. */
    long priority;
    /** What the operation touches, if that is asked for; see {@link RaddleAccessSets}. */
    byte touchKind;
    long touchLocation;

    RaddleThread(int id) {
        this.id = id;
    }

    void reset(int op) {
        this.op = op;
        object = null;
        index = 0;
        site = 0;
        callers = 0;
        deadline = NEVER;
        depth = 0;
        notified = false;
        interrupted = false;
        inRealWait = false;
        permit = false;
        zone = 0;
        alone = 0;
        aborts = 0;
        grace = RaddleScheduler.GRACE;
        yields = 0;
        spins = false;
        call = NO_CALL;
        startedIn = NO_CALL;
        stepsOfCall = 0;
        lastSite = 0;
        siteBefore = 0;
        priority = 0;
        touchKind = RaddleAccessSets.LOCAL;
        touchLocation = 0;
    }

    /** Whether a point need not be looked at. Asked once for each point, since their number is limited. */
    boolean isAlone() {
        return alone > 0 && !RaddleScheduler.aborting && --alone > 0;
    }

    /**
     * Whether the thread, whose run is over, may do its operation on its way out. It must not block, or begin another call.
     * If it is parked, it looks whether it got what it waits for: a lock has no use for a queue with a thread that is gone.
     */
    boolean goesOnToTheEnd() {
        boolean isHarmless = isAccess() || op == LOOP || op == YIELD || op == NOTIFY || op == UNPARK
                || op == PARK
                || op == ENTER && RaddleModel.isFree(object, this);
        grace -= op == PARK ? RaddleScheduler.GRACE / 4 : 1;
        return isHarmless && grace > 0;
    }

    boolean isInterrupted() {
        return interrupted || thread.isInterrupted();
    }

    /** Whether it can do its operation now. */
    boolean enabled() {
        switch (op) {
            case ENTER:
                return RaddleModel.isFree(object, this);
            case WAITING:
                return wasWoken() && RaddleModel.isFree(object, this);
            case PARK:
                return permit || timedOut() || isInterrupted();
            case SLEEP:
                return timedOut() || isInterrupted();
            case JOIN:
                return ((RaddleThread) object).op == FINISHED || timedOut() || isInterrupted();
            case JOIN_ALL:
                return RaddleModel.planThreadsFinished() && RaddleLeftOver.isSettled();
            case FINISHED:
                return false;
            default:
                return true;
        }
    }

    /** Of {@link #WAITING}: whether it is on the way out. */
    boolean wasWoken() {
        return notified || isInterrupted() || timedOut();
    }

    boolean timedOut() {
        return deadline <= RaddleModel.clock;
    }

    private boolean isAccess() {
        return op >= READ && op <= ATOMIC;
    }

    /** Whether the two pending operations are about the same thing and not both reads. */
    boolean conflicts(RaddleThread other) {
        if (object != other.object || isAccess() != other.isAccess()) {
            return false;
        }
        if (!isAccess()) {
            return object != null;
        }
        if (op == READ && other.op == READ) {
            return false;
        }
        if (object != null && (index == ALL_STATE || other.index == ALL_STATE)) {
            return true;
        }
        // An atomic access knows an offset, a plain one a field: they may be the same.
        return (op == ATOMIC) != (other.op == ATOMIC) || location() == other.location();
    }

    /** Which part of the object is accessed. */
    private long location() {
        return index >= 0 || op == ATOMIC ? index : RaddleFields.key(site);
    }
}
