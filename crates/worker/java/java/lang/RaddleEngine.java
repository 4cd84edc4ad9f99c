package java.lang;

import java.io.File;
import java.lang.reflect.InvocationTargetException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;

/** Loads plans and makes runs of them. Called from the worker's native side, by one thread: the main thread of runs. */
final class RaddleEngine {
    private RaddleEngine() {
    }

    private static final int VERSION = 5;

    private static final int RECORD_STEPS = 1;
    private static final int TRACE = 2;
    private static final int REPORT_ALL = 4;
    private static final int ISOLATE = 8;
    private static final int SHARED = 16;
    private static final int TOUCHES = 32;
    private static final int LASTING = 64;
    private static final int CALLERS = 128;

    /** Longer runs would not fit into memory when every step, or every event, is written down. */
    private static final int MAX_RECORDED = 1 << 22;
    private static final int MAX_TRACED = 1 << 20;
    /** Points that the calls before and after the threads may pass without being counted: they may be many, and the
     * threads are what the bound is for. */
    private static final int ALONE = 1 << 21;

    /** Points that are decided while results are looked at: code that waits for something gets no further. */
    private static final int LOOKING = 1000;

    private static int cpu = -1;
    private static RaddleThread main;
    /** The threads of the plan, and all that were ever made, of which plans with few threads use the first. */
    static RaddleWorker[] workers = new RaddleWorker[0];
    private static RaddleWorker[] made = workers;

    /** What {@link #load} is told about the classes of the class path: load them for this plan alone, load them anew and
     * keep them for later plans, use those of the plan before. */
    private static final int OWN = 0;
    private static final int KEPT = 1;

    private static URL[] classPath;
    /** The loader of classes that are kept; null if they are not. */
    private static ClassLoader kept;
    private static boolean keeps;
    /** The loader of the classes of the class path. */
    private static ClassLoader ofClassPath;
    /** Names and bytes of the classes of the plan: its own, and those that it makes objects of. */
    private static String[] planNames;
    private static byte[][] planBytes;
    static RaddlePlan plan;
    static Object[] variables;
    static boolean inPrefix;
    private static RaddleCounts seen;
    private static long totalSteps;

    /** Once, on the thread that will make all later calls. */
    static void start(int pinTo) {
        cpu = pinTo;
        RaddleFields.init();
        RaddleScheduler.init();
        RaddleModel.init(16);
        RaddlePolicy.init();
        RaddleProcess.init();
        main = new RaddleThread(0);
        main.thread = Thread.currentThread();
        main.reset(RaddleThread.FINISHED);
        pin();
    }

    static void pin() {
        RaddleNative.pin(cpu);
    }

    /** Makes a plan the one that later runs are of. */
    static void load(String[] entries, String[] names, byte[][] bytes, int threads, int calls,
            int variableCount, String[] resets, String[] uninitialised, int classes) throws Throwable {
        keeps = classes != OWN;
        if (classes == OWN || classes == KEPT) {
            kept = null;
        }
        classPath = urls(entries);
        planNames = names;
        planBytes = bytes;
        if (made.length < threads) {
            RaddleWorker[] more = new RaddleWorker[threads];
            System.arraycopy(made, 0, more, 0, made.length);
            for (int i = made.length; i < threads; i++) {
                RaddleProcess.numberNextThread(i);
                more[i] = new RaddleWorker(i + 1);
                more[i].start();
            }
            made = more;
        }
        if (workers.length != threads) {
            workers = new RaddleWorker[threads];
            System.arraycopy(made, 0, workers, 0, threads);
        }
        RaddleRecord.init(calls);
        RaddleMeetings.init(calls);
        variables = new Object[variableCount];
        seen = new RaddleCounts();
        RaddleStatics.choose(resets, uninitialised);
        RaddleObjectIds.forgetTypes();
        RaddleFieldOffsets.forget();
        RaddleUnseen.forget();
        RaddleModel.asksTime = false;
        RaddleView.forget();
        instantiate();
    }

    /**
     * Makes classes anew that have been initialised since. Under control, since initialisers are arbitrary code, but as no
     * run of the plan.
     */
    private static void prepareStatics() throws Throwable {
        boolean recordsSteps = RaddleRecord.recordsSteps;
        boolean traces = RaddleRecord.traces;
        RaddleRecord.recordsSteps = false;
        RaddleRecord.traces = false;
        RaddlePolicy.kind = RaddlePolicy.RANDOM;
        reset(0, ALONE);
        takeControl();
        main.alone = ALONE;
        boolean prepared = true;
        try {
            prepared = RaddleStatics.prepare(main, ofClassPath);
        } catch (RaddleAbort e) {
            // It was ended, which leaves classes that are of no use.
            RaddleScheduler.poisoned = true;
        }
        giveControlUp();
        RaddleRecord.recordsSteps = recordsSteps;
        RaddleRecord.traces = traces;
        if (!prepared) {
            loadAnew();
        }
    }

    private static void loadAnew() throws Throwable {
        kept = null;
        instantiate();
    }

    private static URL[] urls(String[] entries) throws MalformedURLException {
        URL[] urls = new URL[entries.length];
        for (int i = 0; i < entries.length; i++) {
            urls[i] = new File(entries[i]).toURI().toURL();
        }
        return urls;
    }

    /** In a class loader of its own, so that static state begins anew, unless classes are kept. */
    private static void instantiate() throws Throwable {
        ClassLoader loader = kept;
        if (loader == null) {
            loader = new URLClassLoader(classPath, ClassLoader.getPlatformClassLoader());
            RaddleStatics.forgetHistory();
        }
        ofClassPath = loader;
        if (keeps) {
            kept = loader;
            loader = new RaddleLoader(kept);
        }
        Class<?> type = loader.defineClass(planNames[0], planBytes[0], 0, planBytes[0].length);
        for (int i = 1; i < planNames.length; i++) {
            loader.defineClass(planNames[i], planBytes[i], 0, planBytes[i].length);
        }
        for (RaddleWorker worker : workers) {
            worker.setContextClassLoader(loader);
        }
        Thread.currentThread().setContextClassLoader(loader);
        try {
            plan = (RaddlePlan) type.getConstructor().newInstance();
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    /** How many steps a run may have, whatever is asked for. */
    static int mostSteps() {
        return RaddleRecord.traces ? MAX_TRACED : RaddleRecord.recordsSteps ? MAX_RECORDED : Integer.MAX_VALUE;
    }

    static byte[] batch(byte[] request) throws Throwable {
        RaddleIn in = new RaddleIn(request);
        if (in.u8() != VERSION) {
            throw new IllegalArgumentException("request of another version");
        }
        int flags = in.i32();
        int maxSteps = in.i32();
        int count = in.i32();
        RaddleRecord.recordsSteps = (flags & RECORD_STEPS) != 0;
        RaddleSharedPoints.isOn = (flags & SHARED) != 0;
        RaddleAccessSets.isOn = RaddleRecord.recordsSteps && (flags & TOUCHES) != 0;
        RaddleRecord.traces = (flags & TRACE) != 0;
        RaddleRecord.recordsCallers = (flags & CALLERS) != 0;
        maxSteps = Math.min(maxSteps, mostSteps());
        RaddleScheduler.switches = 0;
        totalSteps = 0;
        RaddleMeetings.reset();
        RaddleCounts counts = new RaddleCounts();
        RaddleOut out = new RaddleOut();
        int reported = 0;
        out.i32(0);
        for (int i = 0; i < count && !RaddleScheduler.poisoned; i++) {
            if ((flags & ISOLATE) != 0 || (flags & LASTING) != 0 && RaddleStatics.hasLasting(ofClassPath)) {
                loadAnew();
            }
            while (RaddleStatics.isStale() && !RaddleScheduler.poisoned) {
                prepareStatics();
            }
            if (RaddleScheduler.poisoned) {
                break;
            }
            long seed = order(in);
            runOnce(seed, maxSteps);
            RaddleMeetings.noteResults();
            long digest = RaddleReport.digest();
            counts.add(digest);
            // A run that is reported anyway must not keep a later one from being so: of the runs that look for the
            // sequential orders, some are none, and nobody is told of these.
            if ((flags & REPORT_ALL) != 0 || seen.add(digest) == 1) {
                reported++;
                RaddleReport.write(out, i, digest);
            }
            if (RaddleStatics.problem != null) {
                // Half cleared classes are of no use.
                loadAnew();
            }
            RaddleScheduler.tick();
        }
        out.patch(0, reported);
        counts.write(out);
        out.i64(totalSteps);
        out.i64(RaddleScheduler.switches);
        out.u8(RaddleScheduler.poisoned ? 1 : 0);
        String[] problems = RaddleStatics.problems();
        out.i32(problems.length);
        for (String problem : problems) {
            out.utf(problem);
        }
        out.i32(RaddleUnseen.count);
        for (int i = 0; i < RaddleUnseen.count; i++) {
            out.i32(RaddleUnseen.sites[i]);
        }
        out.u8(RaddleModel.asksTime ? 1 : 0);
        RaddleMeetings.write(out);
        return out.finish();
    }

    /** Reads an order into the policy and gives its seed. */
    private static long order(RaddleIn in) {
        RaddlePolicy.kind = in.u8();
        switch (RaddlePolicy.kind) {
            case RaddlePolicy.TAPE:
                RaddlePolicy.tape = in.ints(in.i32() * 2);
                return 0;
            case RaddlePolicy.PCT:
                RaddlePolicy.priorities = in.ints(in.i32());
                RaddlePolicy.changes = in.ints(in.i32());
                return 0;
            case RaddlePolicy.SERIAL:
                RaddleSerial.clock = in.u8();
                RaddleSerial.choices = in.ints(in.i32());
                return 0;
            default:
                return in.i64();
        }
    }

    /** Fixed seeds for what a thread draws by itself, and no thread-local values of earlier runs. */
    static void seed(RaddleThread t) {
        RaddleFields.clearThreadLocals(t.thread);
        t.thread.threadLocalRandomSeed = 0x9E3779B97F4A7C15L * (t.id + 1);
        t.thread.threadLocalRandomProbe = t.id + 1;
        t.thread.threadLocalRandomSecondarySeed = t.id + 1;
    }

    private static void reset(long seed, int maxSteps) {
        RaddleProcess.restore();
        for (int i = 0; i < variables.length; i++) {
            variables[i] = null;
        }
        inPrefix = false;
        RaddleRecord.reset();
        RaddleModel.reset();
        RaddleScheduler.reset(maxSteps);
        RaddlePolicy.reset(seed);
        RaddleSerial.reset();
    }

    /** From here on the main thread is controlled, and so is every thread that it starts. */
    private static void takeControl() {
        RaddleModel.planThreads = workers.length;
        RaddleModel.count = 0;
        join(main, RaddleThread.BEGIN);
        for (RaddleWorker worker : workers) {
            join(worker.state, RaddleThread.FINISHED);
        }
        RaddlePolicy.joined(main);
        RaddleScheduler.take(main);
    }

    private static void giveControlUp() {
        RaddleScheduler.endOthers(main);
        RaddleScheduler.drop();
    }

    private static void runOnce(long seed, int maxSteps) {
        reset(seed, maxSteps);
        if (RaddlePolicy.kind == RaddlePolicy.STRESS) {
            stress(seed);
            look();
            return;
        }
        takeControl();
        try {
            main.alone = ALONE;
            RaddleStatics.reset(main);
            inPrefix = true;
            plan.run(RaddlePlan.PREFIX, variables);
            inPrefix = false;
            if (RaddleRecord.traces) {
                RaddleSequentialProfile.begin();
            }
            main.alone = 0;
            if (RaddleAccessSets.isOn) {
                RaddleObjectIds.begin();
            }
            for (RaddleWorker worker : workers) {
                worker.state.op = RaddleThread.BEGIN;
                RaddlePolicy.joined(worker.state);
            }
            main.op = RaddleThread.JOIN_ALL;
            main.object = null;
            main.site = 0;
            main.index = -1;
            RaddleScheduler.point(main, false);
            if (RaddleLeftOver.isStuck()) {
                RaddleScheduler.end = RaddleScheduler.STUCK;
                RaddleRecord.noteThreads();
            } else {
                main.alone = RaddleModel.othersFinished() ? ALONE : 0;
                plan.run(RaddlePlan.AFTER, variables);
                RaddleAccessSets.allEnded = RaddleModel.othersFinished();
            }
        } catch (RaddleAbort e) {
            // The run was ended.
        } catch (Throwable e) {
            RaddleScheduler.end = inPrefix ? RaddleScheduler.PREFIX_THREW : RaddleScheduler.UNSUPPORTED;
        }
        giveControlUp();
        totalSteps += RaddleScheduler.steps;
        if (RaddleScheduler.poisoned && RaddleScheduler.end == RaddleScheduler.COMPLETED) {
            RaddleScheduler.end = RaddleScheduler.POISONED;
        }
        if (RaddleRecord.traces) {
            RaddleTrace.ended();
        }
        look();
    }

    /** Looks at what the calls returned. That runs code of others, so it is done under control, but as no part of the run. */
    private static void look() {
        if (!RaddleResults.begin() || RaddleScheduler.poisoned) {
            return;
        }
        boolean recordsSteps = RaddleRecord.recordsSteps;
        boolean traces = RaddleRecord.traces;
        boolean shared = RaddleSharedPoints.isOn;
        boolean touches = RaddleAccessSets.isOn;
        int kind = RaddlePolicy.kind;
        int steps = RaddleScheduler.steps;
        int maxSteps = RaddleScheduler.maxSteps;
        int end = RaddleScheduler.end;
        int endDetail = RaddleScheduler.endDetail;
        long switches = RaddleScheduler.switches;
        int switchCount = RaddleRecord.switchCount;
        long hash = RaddleRecord.hash;
        RaddleThread[] threads = RaddleModel.threads;
        int count = RaddleModel.count;
        RaddleModel.threads = threads.clone();
        RaddleRecord.recordsSteps = false;
        RaddleRecord.traces = false;
        RaddleSharedPoints.isOn = false;
        RaddleAccessSets.isOn = false;
        RaddleRecord.isOver = true;
        while (!RaddleResults.isDone() && !RaddleScheduler.poisoned) {
            RaddlePolicy.kind = RaddlePolicy.RANDOM;
            RaddleModel.reset();
            RaddleScheduler.reset(LOOKING);
            RaddlePolicy.reset(0);
            takeControl();
            try {
                RaddleResults.look(main);
            } catch (Throwable e) {
                // Told below, when nothing more is thrown into this thread.
            }
            giveControlUp();
            Thread.interrupted();
            if (!RaddleResults.isDone()) {
                RaddleResults.giveUp();
            }
        }
        RaddleRecord.isOver = false;
        RaddleAccessSets.isOn = touches;
        RaddleSharedPoints.isOn = shared;
        RaddleRecord.traces = traces;
        RaddleRecord.recordsSteps = recordsSteps;
        RaddleModel.threads = threads;
        RaddleModel.count = count;
        RaddleRecord.hash = hash;
        RaddleRecord.switchCount = switchCount;
        RaddleScheduler.switches = switches;
        RaddleScheduler.endDetail = endDetail;
        RaddleScheduler.end = end;
        RaddleScheduler.maxSteps = maxSteps;
        RaddleScheduler.steps = steps;
        RaddlePolicy.kind = kind;
    }

    private static void join(RaddleThread t, int op) {
        if (RaddleModel.count == RaddleModel.threads.length) {
            RaddleModel.growThreads();
        }
        RaddleModel.threads[RaddleModel.count++] = t;
        t.reset(op);
        seed(t);
    }

    private static void stress(long seed) {
        try {
            RaddleStatics.reset(main);
            RaddleInitialiser.runAll();
            inPrefix = true;
            plan.run(RaddlePlan.PREFIX, variables);
            inPrefix = false;
            if (!RaddleStress.run(seed)) {
                RaddleScheduler.end = RaddleScheduler.STUCK;
                RaddleScheduler.poisoned = true;
                return;
            }
            plan.run(RaddlePlan.AFTER, variables);
        } catch (Throwable e) {
            RaddleScheduler.end = inPrefix ? RaddleScheduler.PREFIX_THREW : RaddleScheduler.UNSUPPORTED;
        }
    }
}
