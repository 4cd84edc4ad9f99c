package java.lang;

import java.util.concurrent.locks.AbstractOwnableSynchronizer;
import jdk.internal.misc.Unsafe;

/** Fields: those that accesses are about, and some of JDK classes that are private, or are so in some JDK. */
final class RaddleFields {
    private RaddleFields() {
    }

    private static Unsafe unsafe;
    private static long threadLocals;
    private static long inheritableThreadLocals;
    private static long parkBlocker;
    private static long owner;

    /** By the type of the elements, of which all that are no primitives count as one. */
    private static final Class<?>[] ELEMENTS = {boolean.class, byte.class, char.class, short.class, int.class, long.class,
        float.class, double.class, Object.class};
    private static final long[] arrayBases = new long[ELEMENTS.length];

    /** Where the elements of an array begin. Asked for by reflection: the result is an int in some JDKs, a long in others. */
    private static void findArrayBases() {
        try {
            java.lang.reflect.Method base = Unsafe.class.getMethod("arrayBaseOffset", Class.class);
            for (int i = 0; i < ELEMENTS.length; i++) {
                arrayBases[i] = ((Number) base.invoke(unsafe, ELEMENTS[i].arrayType())).longValue();
            }
        } catch (ReflectiveOperationException e) {
            throw new NoSuchMethodError(e.toString());
        }
    }

    static long arrayBase(Class<?> array) {
        Class<?> element = array.getComponentType();
        int i = 0;
        while (i < ELEMENTS.length - 1 && ELEMENTS[i] != element) {
            i++;
        }
        return arrayBases[i];
    }

    static void init() {
        unsafe = Unsafe.getUnsafe();
        findArrayBases();
        threadLocals = unsafe.objectFieldOffset(Thread.class, "threadLocals");
        inheritableThreadLocals = unsafe.objectFieldOffset(Thread.class, "inheritableThreadLocals");
        parkBlocker = unsafe.objectFieldOffset(Thread.class, "parkBlocker");
        owner = unsafe.objectFieldOffset(AbstractOwnableSynchronizer.class, "exclusiveOwnerThread");
    }

    /** Sites, and beside each the key of the field that is accessed there. Open addressing; 0 is no site. */
    private static int[] sites = new int[1024];
    private static int[] keys = new int[1024];
    private static int known;

    /** A number for the field that is accessed at a site, the same for all sites of one field. */
    static int key(int site) {
        int mask = sites.length - 1;
        int at = site & mask;
        while (sites[at] != 0) {
            if (sites[at] == site) {
                return keys[at];
            }
            at = at + 1 & mask;
        }
        int key = find(site);
        if (known * 2 >= sites.length) {
            grow();
            return key;
        }
        sites[at] = site;
        keys[at] = key;
        known++;
        return key;
    }

    private static int find(int site) {
        // Code for strings has points of its own, which are not the thread's.
        RaddleThread running = Raddle.running;
        Raddle.running = null;
        try {
            String field = RaddleNative.field(site);
            return field == null ? site : whole(field).hashCode();
        } finally {
            Raddle.running = running;
        }
    }

    /**
     * Static state is one, if it is set by code that is not interleaved: of the class whose method is called, or of one
     * whose methods set fields that others read directly, such as {@code System.out}.
     */
    private static String whole(String target) {
        int parameters = target.indexOf('(');
        if (parameters >= 0) {
            return target.substring(0, target.lastIndexOf('.', parameters));
        }
        return target.startsWith("java.lang.System.") ? "java.lang.System" : target;
    }

    /** Keys are cheap to find out again. */
    private static void grow() {
        sites = new int[sites.length * 2];
        keys = new int[sites.length];
        known = 0;
    }

    static void clearThreadLocals(Thread thread) {
        unsafe.putReference(thread, threadLocals, null);
        unsafe.putReference(thread, inheritableThreadLocals, null);
    }

    static Object parkBlocker(Thread thread) {
        return unsafe.getReference(thread, parkBlocker);
    }

    static Object owner(AbstractOwnableSynchronizer synchronizer) {
        return unsafe.getReference(synchronizer, owner);
    }
}
