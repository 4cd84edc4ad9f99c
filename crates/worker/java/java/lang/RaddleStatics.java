package java.lang;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;

/**
 * Static state of classes of the class path, made anew before every run. The rewriter gives each of these classes a
 * method that clears its static fields, and one that does what its initialiser does.
 *
 * <p>Library code is called here while the main thread is controlled, so that initialisers have virtual time, and
 * threads that they start end with the run. It is called in a zone, where nothing is decided.
 */
final class RaddleStatics {
    private RaddleStatics() {
    }

    private static final String CLEAR = "raddle$clear";
    private static final String INITIALISE = "raddle$initialise";
    /** An initialiser that takes longer cannot be run before every run. Far more than others take, on any machine. */
    private static final long TOO_LONG_NANOS = 100_000_000L;

    /** The classes that were asked for, without those that are left alone. */
    private static String[] names;
    /** Why the others are left alone. */
    private static String[] problems;
    /** Classes of the loader in use, in the order in which they were initialised: a class comes after those it needs. */
    private static Class<?>[] history = new Class<?>[16];
    private static int historyCount;
    /** May do everything. */
    private static Lookup lookup;

    /** In the order of the turns. Some classes have no initialiser. */
    private static MethodHandle[] clear;
    private static MethodHandle[] initialise;

    /** Why the run could not begin; null if it could. */
    static String problem;

    /** Of these classes; nothing is made anew before {@link #prepare}. */
    static void choose(String[] classes) {
        names = classes;
        problems = new String[0];
        forget();
    }

    /** Nothing is made anew any more. */
    static void forget() {
        clear = new MethodHandle[0];
        initialise = new MethodHandle[0];
        problem = null;
    }

    static boolean isEmpty() {
        return names.length == 0;
    }

    static String[] problems() {
        return problems;
    }

    /** Called at the end of the initialisers of classes that can be made anew, and of the copies of these. */
    static void initialised(Class<?> type) {
        for (int i = 0; i < historyCount; i++) {
            if (history[i] == type) {
                return;
            }
        }
        if (historyCount == history.length) {
            Class<?>[] more = new Class<?>[historyCount * 2];
            System.arraycopy(history, 0, more, 0, historyCount);
            history = more;
        }
        history[historyCount++] = type;
    }

    /** Classes are loaded anew. */
    static void forgetHistory() {
        for (int i = 0; i < historyCount; i++) {
            history[i] = null;
        }
        historyCount = 0;
    }

    /** As which the class was initialised, counted from 1; 0 if that is not known. */
    private static int turn(String name) {
        for (int i = 0; i < historyCount; i++) {
            if (history[i].getName().equals(name)) {
                return i + 1;
            }
        }
        return 0;
    }

    /**
     * Initialises the classes, and makes them anew once. False if one of them is to be left alone: all have to be loaded
     * again, since some may be half cleared.
     */
    static boolean prepare(RaddleThread main, ClassLoader loader) {
        forget();
        main.zone++;
        try {
            return find(loader) && rehearse();
        } finally {
            main.zone--;
        }
    }

    private static boolean find(ClassLoader loader) throws RaddleAbort {
        MethodHandle[] clearing = new MethodHandle[names.length];
        MethodHandle[] initialising = new MethodHandle[names.length];
        for (int i = 0; i < names.length; i++) {
            try {
                Class<?> type = Class.forName(names[i], true, loader);
                clearing[i] = method(type, CLEAR);
                initialising[i] = method(type, INITIALISE);
            } catch (RaddleAbort e) {
                throw e;
            } catch (Throwable e) {
                leave(i, because(e));
                return false;
            }
            if (clearing[i] == null) {
                leave(i, "it is an enum or an interface, or has no static state");
                return false;
            }
        }
        sort(clearing, initialising);
        return true;
    }

    /** By turns; those without one are last: they have no initialiser, or one that could not be rewritten. */
    private static void sort(MethodHandle[] clearing, MethodHandle[] initialising) {
        clear = new MethodHandle[names.length];
        initialise = new MethodHandle[names.length];
        String[] sorted = new String[names.length];
        int[] turns = new int[names.length];
        for (int i = 0; i < names.length; i++) {
            turns[i] = turn(names[i]);
        }
        for (int place = 0; place < names.length; place++) {
            int next = -1;
            for (int i = 0; i < names.length; i++) {
                boolean isLeft = clearing[i] != null;
                if (isLeft && (next < 0 || turns[i] != 0 && (turns[next] == 0 || turns[i] < turns[next]))) {
                    next = i;
                }
            }
            clear[place] = clearing[next];
            initialise[place] = initialising[next];
            sorted[place] = names[next];
            clearing[next] = null;
        }
        names = sorted;
    }

    /** Not by plain reflection, which looks at all methods of a class, and fails when a type of one is missing. */
    private static MethodHandle method(Class<?> type, String name) throws ReflectiveOperationException {
        if (lookup == null) {
            Field field = Lookup.class.getDeclaredField("IMPL_LOOKUP");
            field.setAccessible(true);
            lookup = (Lookup) field.get(null);
        }
        try {
            return lookup.findStatic(type, name, MethodType.methodType(void.class));
        } catch (NoSuchMethodException e) {
            return null;
        }
    }

    private static boolean rehearse() throws RaddleAbort {
        int at = clearAll();
        for (int i = 0; at < 0 && i < initialise.length; i++) {
            long begin = System.nanoTime();
            if (!call(initialise[i])) {
                at = i;
            } else if (System.nanoTime() - begin > TOO_LONG_NANOS) {
                problem = "its initialiser takes too long";
                at = i;
            }
        }
        if (at >= 0) {
            leave(at, problem);
        }
        return at < 0;
    }

    /** Makes all classes anew; throws, and says so in {@link #problem}, if that is not possible. */
    static void reset(RaddleThread main) throws RaddleAbort {
        if (clear.length == 0) {
            return;
        }
        main.zone++;
        int at = clearAll();
        for (int i = 0; at < 0 && i < initialise.length; i++) {
            at = call(initialise[i]) ? -1 : i;
        }
        main.zone--;
        if (at >= 0) {
            problem = sentence(at, problem);
            throw new IllegalStateException(problem);
        }
    }

    /** The class that failed, or -1. */
    private static int clearAll() throws RaddleAbort {
        for (int i = 0; i < clear.length; i++) {
            if (!call(clear[i])) {
                return i;
            }
        }
        return -1;
    }

    /** False, with the reason in {@link #problem}, if the method threw. */
    private static boolean call(MethodHandle method) throws RaddleAbort {
        if (method == null) {
            return true;
        }
        try {
            method.invokeExact();
            return true;
        } catch (RaddleAbort e) {
            throw e;
        } catch (Throwable e) {
            problem = because(e);
            return false;
        }
    }

    /** Takes a class away from those that are made anew. */
    private static void leave(int at, String why) {
        String[] more = new String[problems.length + 1];
        System.arraycopy(problems, 0, more, 0, problems.length);
        more[problems.length] = sentence(at, why);
        problems = more;
        String[] fewer = new String[names.length - 1];
        System.arraycopy(names, 0, fewer, 0, at);
        System.arraycopy(names, at + 1, fewer, at, fewer.length - at);
        names = fewer;
        forget();
    }

    private static String sentence(int at, String why) {
        return "the static state of " + names[at] + " cannot be reset: " + why;
    }

    private static String because(Throwable e) {
        Throwable cause = e instanceof ExceptionInInitializerError && e.getCause() != null ? e.getCause() : e;
        try {
            return "its initialiser throws " + cause;
        } catch (Throwable other) {
            return "its initialiser throws " + cause.getClass().getName();
        }
    }
}
