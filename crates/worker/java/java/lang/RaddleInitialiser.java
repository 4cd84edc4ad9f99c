package java.lang;

import java.lang.invoke.MethodHandle;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;

/**
 * The initialiser of a class that is initialised in the run, when it is first used there. The JVM has initialised the class
 * already, which did nothing; what would have been done is in a method. Whoever is about to use the class calls it, as the Java
 * Virtual Machine Specification says in section 5.5: one thread does it, the others wait. Here the wait is for a lock of the
 * model, this object.
 */
final class RaddleInitialiser {
    private static final int NEW = 0;
    private static final int DONE = 1;
    private static final int FAILED = 2;
    private static final RaddleInitialiser[] NONE = new RaddleInitialiser[0];

    /** Of the classes that were asked for, those that could be loaded. */
    private static RaddleInitialiser[] all = NONE;

    final Class<?> type;
    /** None if the class does nothing. */
    private final MethodHandle body;
    /** Names of static fields and methods, which of those that it inherits initialise other classes; null if not known. */
    private final String[] members;
    private int state;

    private RaddleInitialiser(Class<?> type, MethodHandle body) {
        this.type = type;
        this.body = body;
        members = members(type);
    }

    static void forget() {
        all = NONE;
    }

    static void add(Class<?> type, MethodHandle body) {
        RaddleInitialiser[] more = new RaddleInitialiser[all.length + 1];
        System.arraycopy(all, 0, more, 0, all.length);
        more[all.length] = new RaddleInitialiser(type, body);
        all = more;
    }

    /** No class is initialised. */
    static void reset() {
        for (RaddleInitialiser each : all) {
            each.state = NEW;
        }
    }

    /** Initialises all classes, for runs in which nobody is controlled. */
    static void runAll() throws Throwable {
        for (RaddleInitialiser each : all) {
            if (each.state == NEW) {
                each.state = DONE;
                RaddleStatics.invoke(each.body);
            }
        }
    }

    static RaddleInitialiser of(Class<?> type) {
        for (RaddleInitialiser each : all) {
            if (each.type == type) {
                return each;
            }
        }
        return null;
    }

    /** A thread is about to use a static member of a class, or to make an object of it. */
    static void touched(RaddleThread t, Class<?> named, String member, int site) throws Throwable {
        if (all.length == 0) {
            return;
        }
        // The one that declares the member is initialised, and not the one by whose name it is used.
        for (Class<?> at = named; at != null; at = at.getSuperclass()) {
            RaddleInitialiser initialiser = of(at);
            if (initialiser != null && initialiser.declares(member)) {
                initialiser.run(t, site);
                return;
            }
        }
    }

    /** The same, where the class itself says so. */
    static void entered(RaddleThread t, Class<?> type, int site) throws Throwable {
        RaddleInitialiser initialiser = of(type);
        if (initialiser != null) {
            initialiser.run(t, site);
        }
    }

    private boolean declares(String member) {
        if (members == null || member.equals("<init>")) {
            return true;
        }
        for (String each : members) {
            if (each.equals(member)) {
                return true;
            }
        }
        return false;
    }

    private void run(RaddleThread t, int site) throws Throwable {
        if (state == DONE || RaddleModel.owner(this) == t) {
            return;
        }
        if (state == NEW) {
            Raddle.enter(this, site);
            try {
                if (state == NEW) {
                    initialise(t, site);
                }
            } finally {
                Raddle.exit(this, site);
            }
        }
        if (state == FAILED) {
            throw new NoClassDefFoundError("Could not initialize class " + type.getName());
        }
    }

    private void initialise(RaddleThread t, int site) throws Throwable {
        try {
            for (Class<?> at = type.getSuperclass(); at != null; at = at.getSuperclass()) {
                RaddleInitialiser before = of(at);
                if (before != null) {
                    before.run(t, site);
                    break;
                }
            }
            RaddleStatics.invoke(body);
            state = DONE;
        } catch (RaddleAbort e) {
            throw e;
        } catch (Throwable e) {
            if (RaddleScheduler.aborting) {
                throw RaddleScheduler.abort;
            }
            state = FAILED;
            throw e instanceof Error ? e : new ExceptionInInitializerError(e);
        }
    }

    private static String[] members(Class<?> type) {
        try {
            Field[] fields = type.getDeclaredFields();
            Method[] methods = type.getDeclaredMethods();
            String[] names = new String[fields.length + methods.length];
            int count = 0;
            for (Field field : fields) {
                names[count++] = Modifier.isStatic(field.getModifiers()) ? field.getName() : "";
            }
            for (Method method : methods) {
                names[count++] = Modifier.isStatic(method.getModifiers()) ? method.getName() : "";
            }
            return names;
        } catch (LinkageError e) {
            return null;
        }
    }
}
