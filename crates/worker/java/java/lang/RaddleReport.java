package java.lang;


/** A run as numbers and bytes. Made after the run, when nobody is controlled. */
final class RaddleReport {
    private RaddleReport() {
    }

    private static final int MAX_FRAMES = 40;
    /** The state of a thread that waits for what is there already. */
    private static final int NEEDLESS = 8;

    /** Equal for runs with the same results and the same end, whatever their interleaving. */
    static long digest() {
        long hash = RaddleValues.mix(0xCBF29CE484222325L, RaddleScheduler.end);
        byte[] states = RaddleRecord.states;
        for (int i = 0; i < states.length; i++) {
            Object result = RaddleRecord.results[i];
            hash = RaddleValues.mix(hash, states[i]);
            if (states[i] == RaddleRecord.RETURNED) {
                hash = RaddleValues.mix(hash, RaddleResults.hashOf(i));
            } else if (states[i] == RaddleRecord.THREW) {
                hash = RaddleValues.mix(hash, result.getClass().getName().hashCode());
            }
        }
        // In whatever order they came.
        long thrown = 0;
        for (int i = 0; i < RaddleRecord.uncaughtCount; i++) {
            thrown += RaddleValues.mix(1, RaddleRecord.uncaught[i].getClass().getName().hashCode());
        }
        hash = thrown == 0 ? hash : RaddleValues.mix(hash, thrown);
        if (RaddleScheduler.end == RaddleScheduler.STUCK) {
            for (int i = 0; i < RaddleRecord.noteCount; i++) {
                hash = RaddleValues.mix(hash, RaddleRecord.noteOps[i]);
                hash = RaddleValues.mix(hash, RaddleRecord.noteSites[i]);
                if (RaddleProbe.isNeedless(i)) {
                    hash = RaddleValues.mix(hash, i);
                }
            }
        }
        return hash;
    }

    static void write(RaddleOut out, int index, long digest) {
        out.i32(index);
        out.i64(digest);
        out.i64(RaddleRecord.hash);
        out.i32(RaddleScheduler.steps);
        out.u8(RaddleScheduler.end);
        out.utf(RaddleStatics.problem != null ? RaddleStatics.problem : Integer.toString(RaddleScheduler.endDetail));
        out.i32(RaddleRecord.switchCount / 2);
        for (int i = 0; i < RaddleRecord.switchCount; i++) {
            out.i32(RaddleRecord.switches[i]);
        }
        writeCalls(out);
        writeUncaught(out);
        writeThreads(out);
        if (RaddleRecord.recordsSteps) {
            out.i32(RaddleRecord.stepCount);
            for (int i = 0; i < RaddleRecord.stepCount; i++) {
                out.i64(RaddleRecord.stepRecords[i] | (RaddleSharedPoints.isOn && RaddleSharedPoints.isShared(i) ? 1L << 59 : 0));
            }
        }
        if (RaddleAccessSets.isOn) {
            RaddleAccessSets.write(out);
        }
        if (RaddleRecord.traces) {
            RaddleTrace.write(out);
        }
    }

    private static void writeCalls(RaddleOut out) {
        byte[] states = RaddleRecord.states;
        out.i32(states.length);
        for (int i = 0; i < states.length; i++) {
            Object result = RaddleRecord.results[i];
            out.u8(states[i]);
            if (states[i] == RaddleRecord.THREW) {
                writeThrown(out, (Throwable) result);
            } else {
                out.utf(states[i] == RaddleRecord.RETURNED ? RaddleResults.textOf(i) : "");
                out.utf("");
                out.i32(0);
            }
        }
    }

    private static void writeThrown(RaddleOut out, Throwable thrown) {
        out.utf(thrown.getClass().getName());
        out.utf(message(thrown));
        writeFrames(out, thrown);
    }

    private static void writeUncaught(RaddleOut out) {
        out.i32(RaddleRecord.uncaughtCount);
        for (int i = 0; i < RaddleRecord.uncaughtCount; i++) {
            RaddleThread t = RaddleRecord.uncaughtIn[i];
            out.utf(t.thread.getName());
            out.i32(t.startedIn);
            writeThrown(out, RaddleRecord.uncaught[i]);
        }
    }

    private static String message(Throwable thrown) {
        try {
            String message = thrown.getMessage();
            // Of a class that cannot be initialised, the reason is what its initialiser threw.
            Throwable cause = thrown instanceof LinkageError ? thrown.getCause() : null;
            if (message == null) {
                return cause == null ? "" : cause.toString();
            }
            return cause == null ? message : message + ": " + cause;
        } catch (Throwable e) {
            return "";
        }
    }

    private static void writeFrames(RaddleOut out, Throwable thrown) {
        StackTraceElement[] frames;
        try {
            frames = thrown.getStackTrace();
        } catch (Throwable e) {
            frames = new StackTraceElement[0];
        }
        int position = out.position();
        out.i32(0);
        int written = 0;
        for (StackTraceElement frame : frames) {
            if (frame.getClassName().startsWith("java.lang.Raddle")) {
                continue;
            }
            out.utf(frame.getClassName() + "." + frame.getMethodName() + "(" + frame.getFileName() + ":"
                    + frame.getLineNumber() + ")");
            if (++written == MAX_FRAMES) {
                break;
            }
        }
        out.patch(position, written);
    }

    private static void writeThreads(RaddleOut out) {
        int count = RaddleRecord.noted ? RaddleRecord.noteCount : 0;
        out.i32(count);
        for (int i = 0; i < count; i++) {
            int op = RaddleRecord.noteOps[i];
            out.utf(RaddleModel.threads[i].thread.getName());
            out.u8(RaddleProbe.isNeedless(i) ? NEEDLESS : state(op));
            out.i32(RaddleRecord.noteSites[i]);
            out.i32(RaddleRecord.noteCallers[i]);
            out.utf(wants(i));
            writeHeld(out, i);
        }
    }

    private static int state(int op) {
        switch (op) {
            case RaddleThread.FINISHED:
                return 0;
            case RaddleThread.ENTER:
                return 2;
            case RaddleThread.WAITING:
                return 3;
            case RaddleThread.PARK:
                return 4;
            case RaddleThread.JOIN:
            case RaddleThread.JOIN_ALL:
                return 5;
            case RaddleThread.SLEEP:
                return 6;
            default:
                return 1;
        }
    }

    private static String wants(int thread) {
        Object object = RaddleRecord.noteObjects[thread];
        switch (RaddleRecord.noteOps[thread]) {
            case RaddleThread.ENTER:
            case RaddleThread.WAITING:
                return label(object);
            case RaddleThread.PARK:
                Object blocker = RaddleRecord.noteBlockers[thread];
                return blocker == null ? "" : label(blocker);
            case RaddleThread.JOIN:
                return ((RaddleThread) object).thread.getName();
            default:
                return "";
        }
    }

    /** Monitors, and the java.util.concurrent locks that another thread is parked for. */
    private static void writeHeld(RaddleOut out, int thread) {
        int position = out.position();
        out.i32(0);
        int written = 0;
        for (int i = 0; i < RaddleRecord.heldCount; i++) {
            if (RaddleRecord.heldBy[i] == thread) {
                out.utf(label(RaddleRecord.heldLocks[i]));
                out.i32(RaddleRecord.heldSites[i]);
                written++;
            }
        }
        for (int i = 0; i < RaddleRecord.noteCount; i++) {
            Object owner = RaddleRecord.noteOwners[i];
            if (owner != null && RaddleModel.threads[thread].thread == owner) {
                out.utf(label(RaddleRecord.noteBlockers[i]));
                out.i32(0);
                written++;
            }
        }
        out.patch(position, written);
    }

    /** A name for an object: equal for the same object, different for others of the run. */
    static String label(Object object) {
        if (object instanceof Class) {
            return "class " + ((Class<?>) object).getName();
        }
        if (object instanceof RaddleInitialiser) {
            return "the initialiser of " + ((RaddleInitialiser) object).type.getName();
        }
        int variable = RaddleValues.variable(object, RaddleEngine.variables);
        if (variable >= 0) {
            return RaddleValues.className(object) + " $" + variable;
        }
        return RaddleValues.className(object) + " #" + number(object);
    }

    /** Numbers those that are no variables in the order in which they turn up in what was noted. */
    private static int number(Object object) {
        int number = 0;
        Object[][] all = {RaddleRecord.heldLocks, RaddleRecord.noteObjects, RaddleRecord.noteBlockers};
        int[] sizes = {RaddleRecord.heldCount, RaddleRecord.noteCount, RaddleRecord.noteCount};
        for (int list = 0; list < all.length; list++) {
            for (int i = 0; i < sizes[list]; i++) {
                if (all[list][i] == object) {
                    return number;
                }
                number++;
            }
        }
        return number;
    }
}
