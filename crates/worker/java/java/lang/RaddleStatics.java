package java.lang;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;

/**
 * Static state of classes of the class path, made anew before every run. The rewriter gives each of these classes a
 * method that clears its static fields, and one that does what its initialiser does. A class that no run has initialised
 * yet has nothing to make anew.
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
    private static String[] names = new String[0];
    /** Of these, those that are initialised in the run, and whether they have been loaded for that. */
    private static String[] deferred = new String[0];
    private static boolean isLoaded;
    /** Of each, whether it is known to have nothing that lasts. */
    private static boolean[] fixed = new boolean[0];
    /** How deep constants are looked into. */
    private static final int MOST_DEPTH = 4;
    /** Why the others are left alone. */
    private static String[] problems = new String[0];
    /** Classes of the loader in use, in the order in which they were initialised: a class comes after those it needs. */
    private static Class<?>[] history = new Class<?>[16];
    private static int historyCount;
    /** How much of the history is known to what follows. */
    private static int known;

    /** Those that are made anew, in the order of the history. Some have no initialiser. */
    private static Class<?>[] types;
    private static MethodHandle[] clear;
    private static MethodHandle[] initialise;

    /** May do everything. */
    private static Lookup lookup;

    /** Why the run could not begin; null if it could. */
    static String problem;

    /** From here on these classes are made anew, and the second ones initialised in the run. */
    static void choose(String[] classes, String[] uninitialised) {
        names = new String[classes.length + uninitialised.length];
        System.arraycopy(classes, 0, names, 0, classes.length);
        System.arraycopy(uninitialised, 0, names, classes.length, uninitialised.length);
        deferred = uninitialised;
        fixed = new boolean[names.length];
        problems = new String[0];
        forget();
    }

    /** Classes are loaded anew. */
    static void forgetHistory() {
        for (int i = 0; i < historyCount; i++) {
            history[i] = null;
        }
        historyCount = 0;
        fixed = new boolean[names.length];
        forget();
    }

    private static void forget() {
        known = 0;
        isLoaded = false;
        RaddleInitialiser.forget();
        types = new Class<?>[0];
        clear = new MethodHandle[0];
        initialise = new MethodHandle[0];
        problem = null;
    }

    /** The classes that are made anew. */
    static Class<?>[] types() {
        return types;
    }

    static String[] problems() {
        return problems;
    }

    /** Called when a class is initialised that can be made anew, and when it was. */
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

    /**
     * Whether an enum or interface has been initialised whose static state is made anew by loading all classes again, which
     * takes a hundred times as long as most runs. Most have nothing but constants that never change.
     */
    static boolean hasLasting(ClassLoader loader) {
        for (int i = 0; i < names.length; i++) {
            Class<?> type = fixed[i] ? null : loader.findLoadedClass(names[i]);
            if (type == null || RaddleScheduler.unsafe.shouldBeInitialized(type)) {
                continue;
            }
            if ((type.isEnum() || type.isInterface()) && isLasting(type)) {
                return true;
            }
            fixed[i] = true;
        }
        return false;
    }

    private static boolean isLasting(Class<?> type) {
        for (Field field : RaddleFinalFieldLinks.fields(type)) {
            if (!Modifier.isStatic(field.getModifiers())) {
                continue;
            }
            if (!Modifier.isFinal(field.getModifiers())) {
                return true;
            }
            Class<?> of = field.getType();
            // Nobody but the class itself sees the array of all constants of an enum.
            if (of.isPrimitive() || of.getComponentType() == type) {
                continue;
            }
            Object base = RaddleScheduler.unsafe.staticFieldBase(field);
            if (!isFixed(RaddleScheduler.unsafe.getReference(base, RaddleScheduler.unsafe.staticFieldOffset(field)), 0)) {
                return true;
            }
        }
        return false;
    }

    /** Whether neither the object nor what it holds can change. */
    private static boolean isFixed(Object value, int depth) {
        if (value == null || value instanceof String || value instanceof Class) {
            return true;
        }
        if (depth > MOST_DEPTH || value.getClass().isArray()) {
            return false;
        }
        // What an enum has of its own is a name and a number.
        for (Class<?> at = value.getClass(); at != null && at != Enum.class; at = at.getSuperclass()) {
            for (Field field : RaddleFinalFieldLinks.fields(at)) {
                if (Modifier.isStatic(field.getModifiers())) {
                    continue;
                }
                if (!Modifier.isFinal(field.getModifiers())) {
                    return false;
                }
                long offset = RaddleScheduler.unsafe.objectFieldOffset(field);
                if (!field.getType().isPrimitive()
                        && !isFixed(RaddleScheduler.unsafe.getReference(value, offset), depth + 1)) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Whether classes have been initialised that are not prepared. */
    static boolean isStale() {
        return known != historyCount && names.length > 0 || deferred.length > 0 && !isLoaded;
    }

    /**
     * Makes all classes anew that have been initialised. False if one of them is to be left alone: all have to be loaded
     * again, since some are half cleared.
     */
    static boolean prepare(RaddleThread main, ClassLoader loader) throws RaddleAbort {
        forget();
        main.zone++;
        load(loader);
        find();
        int at = clearAll();
        for (int i = 0; at < 0 && i < types.length; i++) {
            long begin = System.nanoTime();
            if (!call(initialise[i])) {
                at = i;
            } else if (System.nanoTime() - begin > TOO_LONG_NANOS) {
                problem = "its initialiser takes too long";
                at = i;
            }
        }
        main.zone--;
        if (at >= 0) {
            leave(types[at], problem);
        }
        return at < 0;
    }

    /** To the JVM, all that are initialised in the run are initialised before. */
    private static void load(ClassLoader loader) {
        isLoaded = true;
        for (String name : deferred) {
            try {
                Class.forName(name, true, loader);
            } catch (ClassNotFoundException | LinkageError e) {
                // Whoever uses it will be told.
            }
        }
    }

    private static void find() {
        known = historyCount;
        int count = 0;
        Class<?>[] found = new Class<?>[known];
        for (int i = 0; i < known; i++) {
            if (isIn(names, history[i].getName())) {
                found[count++] = history[i];
            }
        }
        types = new Class<?>[count];
        clear = new MethodHandle[count];
        initialise = new MethodHandle[count];
        for (int i = 0; i < count; i++) {
            types[i] = found[i];
            clear[i] = method(found[i], CLEAR);
            initialise[i] = method(found[i], INITIALISE);
            if (isIn(deferred, found[i].getName())) {
                RaddleInitialiser.add(found[i], initialise[i]);
                initialise[i] = null;
            }
        }
    }

    private static boolean isIn(String[] list, String name) {
        for (String asked : list) {
            if (asked.equals(name)) {
                return true;
            }
        }
        return false;
    }

    static Lookup lookup() throws ReflectiveOperationException {
        if (lookup == null) {
            Field field = Lookup.class.getDeclaredField("IMPL_LOOKUP");
            field.setAccessible(true);
            lookup = (Lookup) field.get(null);
        }
        return lookup;
    }

    /** Not by plain reflection, which looks at all methods of a class, and fails when a type of one is missing. */
    private static MethodHandle method(Class<?> type, String name) {
        try {
            return lookup().findStatic(type, name, MethodType.methodType(void.class));
        } catch (ReflectiveOperationException e) {
            return null;
        }
    }

    /** Makes all classes anew; throws, and says so in {@link #problem}, if that is not possible. */
    static void reset(RaddleThread main) throws RaddleAbort {
        if (types.length == 0) {
            return;
        }
        main.zone++;
        RaddleInitialiser.reset();
        int at = clearAll();
        for (int i = 0; at < 0 && i < types.length; i++) {
            at = call(initialise[i]) ? -1 : i;
        }
        main.zone--;
        if (at >= 0) {
            problem = leave(types[at], problem);
            throw new IllegalStateException(problem);
        }
    }

    /** The class that failed, or -1. */
    private static int clearAll() throws RaddleAbort {
        for (int i = 0; i < types.length; i++) {
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
            invoke(method);
            return true;
        } catch (RaddleAbort e) {
            throw e;
        } catch (Throwable e) {
            problem = because(e);
            return false;
        }
    }

    /** At one place, so that what the JVM does the first time is done before anybody is controlled. */
    static void invoke(MethodHandle method) throws Throwable {
        if (method != null) {
            method.invokeExact();
        }
    }

    /** Takes a class away from those that are made anew, and says why. */
    private static String leave(Class<?> type, String why) {
        String sentence = "the static state of " + type.getName() + " cannot be reset: " + why;
        String[] more = new String[problems.length + 1];
        System.arraycopy(problems, 0, more, 0, problems.length);
        more[problems.length] = sentence;
        problems = more;
        String[] fewer = new String[names.length - 1];
        int count = 0;
        for (String name : names) {
            if (!name.equals(type.getName())) {
                fewer[count++] = name;
            }
        }
        names = fewer;
        fixed = new boolean[names.length];
        return sentence;
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
