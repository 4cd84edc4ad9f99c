package java.lang;

/**
 * What each step of a run touches, for searches that leave out interleavings which come to the same. Only if that is
 * asked for.
 *
 * <p>A location is a part of an object, see {@link RaddleObjectIds} for objects and {@link RaddleFieldOffsets} for parts. What is not
 * known well enough counts as touching anything.
 */
final class RaddleAccessSets {
    private RaddleAccessSets() {
    }

    static final byte READ = 0;
    static final byte WRITE = 1;
    static final byte LOCK = 2;
    static final byte UNLOCK = 3;
    static final byte WAIT = 4;
    static final byte NOTIFY = 5;
    static final byte PARK = 6;
    static final byte UNPARK = 7;
    static final byte JOIN = 9;
    static final byte LOCAL = 10;
    static final byte UNKNOWN = 11;

    /** Of {@link #JOIN}: every thread of the plan. */
    private static final long ALL_THREADS = -1;

    static boolean isOn;

    /** One per step. */
    private static byte[] kinds = new byte[256];
    private static long[] locations = new long[256];

    /** Whether all threads had ended when the main thread came to its end. */
    static boolean allEnded;

    static void reset() {
        allEnded = false;
        RaddleObjectIds.reset();
    }

    /**
     * A thread is about to do its operation. Objects get their names here and not when the operation is done: what every
     * thread is about to do at a point then has the same name in all runs that come to that point.
     */
    static void announced(RaddleThread t) {
        t.touchLocation = 0;
        switch (t.op) {
            case RaddleThread.READ:
                access(t, READ);
                break;
            case RaddleThread.WRITE:
                access(t, WRITE);
                break;
            case RaddleThread.ATOMIC:
                atomic(t);
                break;
            case RaddleThread.ENTER:
                on(t, LOCK);
                break;
            case RaddleThread.EXIT:
                on(t, UNLOCK);
                break;
            case RaddleThread.WAIT:
                on(t, WAIT);
                break;
            case RaddleThread.WAITING:
                on(t, LOCK);
                break;
            case RaddleThread.NOTIFY:
                on(t, NOTIFY);
                break;
            case RaddleThread.PARK:
                at(t, PARK, t.id);
                break;
            case RaddleThread.UNPARK:
                at(t, UNPARK, ((RaddleThread) t.object).id);
                break;
            case RaddleThread.JOIN:
                at(t, JOIN, ((RaddleThread) t.object).id);
                break;
            case RaddleThread.JOIN_ALL:
                at(t, JOIN, ALL_THREADS);
                break;
            case RaddleThread.BEGIN:
            case RaddleThread.CALL:
            case RaddleThread.LOOP:
            case RaddleThread.YIELD:
            case RaddleThread.FINISHED:
                at(t, LOCAL, 0);
                break;
            default:
                at(t, UNKNOWN, 0);
                break;
        }
        // Time passes only when nobody can run, so what all threads do has to do with it.
        if (t.deadline != RaddleThread.NEVER) {
            at(t, UNKNOWN, 0);
        }
    }

    private static void at(RaddleThread t, byte kind, long location) {
        t.touchKind = kind;
        t.touchLocation = location;
    }

    /** An operation on a monitor. */
    private static void on(RaddleThread t, byte kind) {
        at(t, kind, RaddleObjectIds.of(t.object) << RaddleFieldOffsets.BITS);
    }

    private static void access(RaddleThread t, byte kind) {
        Object object = t.object;
        if (object instanceof RaddleThread) {
            // Whether a thread has ended.
            at(t, UNKNOWN, 0);
        } else if (object == null && (t.index == -1 || t.index == RaddleThread.ALL_STATE)) {
            long location = RaddleFieldOffsets.ofStatic(t.site);
            if (location == RaddleFieldOffsets.NOTHING) {
                at(t, LOCAL, 0);
            } else {
                at(t, location == RaddleFieldOffsets.NOT_KNOWN ? UNKNOWN : kind, location);
            }
        } else if (object == null) {
            at(t, LOCAL, 0);
        } else {
            long part = t.index >= 0 ? t.index : RaddleFieldOffsets.ofField(t.site, object, t.index);
            at(t, kind, RaddleFieldOffsets.location(object, part));
        }
    }

    private static void atomic(RaddleThread t) {
        long mode = RaddleFieldOffsets.mode(t.site);
        if (t.object == null || mode == RaddleFieldOffsets.NOT_KNOWN) {
            // Raw memory, or a static field of which it is not known which.
            at(t, UNKNOWN, 0);
            return;
        }
        byte kind = (mode & RaddleFieldOffsets.READS) != 0 ? READ : WRITE;
        at(t, kind, RaddleFieldOffsets.location(t.object, RaddleFieldOffsets.ofAtomic(mode, t.object, t.index)));
    }

    /** The thread is picked at this step. */
    static void step(int step, RaddleThread t) {
        if (step == kinds.length) {
            kinds = grown(kinds);
            locations = grown(locations);
        }
        kinds[step] = t.touchKind;
        locations[step] = t.touchLocation;
    }

    private static byte[] grown(byte[] from) {
        byte[] to = new byte[from.length * 2];
        for (int i = 0; i < from.length; i++) {
            to[i] = from[i];
        }
        return to;
    }

    private static long[] grown(long[] from) {
        long[] to = new long[from.length * 2];
        for (int i = 0; i < from.length; i++) {
            to[i] = from[i];
        }
        return to;
    }

    private static boolean isStep(RaddleThread t) {
        return isOn && !RaddleScheduler.aborting && !RaddleProbe.isOn && t.alone == 0 && RaddleRecord.stepCount > 0;
    }

    /** The thread does something within a step that is no operation of its own, and that others may notice. */
    static void hidden(RaddleThread t) {
        if (isStep(t)) {
            kinds[RaddleRecord.stepCount - 1] = UNKNOWN;
            locations[RaddleRecord.stepCount - 1] = 0;
        }
    }

    static void write(RaddleOut out) {
        for (int i = 0; i < RaddleRecord.stepCount; i++) {
            out.u8(kinds[i]);
            out.i64(locations[i]);
        }
        boolean stuck = RaddleScheduler.end == RaddleScheduler.STUCK;
        boolean told = stuck || RaddleScheduler.end == RaddleScheduler.COMPLETED && allEnded;
        out.u8(told ? 1 : 0);
        if (!told) {
            return;
        }
        int position = out.position();
        out.i32(0);
        int count = 0;
        for (int i = 0; stuck && i < RaddleRecord.noteCount; i++) {
            if (RaddleRecord.noteOps[i] != RaddleThread.FINISHED) {
                RaddleThread t = RaddleModel.threads[i];
                out.u8(i);
                // One that was not notified does not want the monitor yet.
                out.u8(RaddleRecord.noteOps[i] == RaddleThread.WAITING ? WAIT : t.touchKind);
                out.i64(t.touchLocation);
                count++;
            }
        }
        out.patch(position, count);
    }
}
