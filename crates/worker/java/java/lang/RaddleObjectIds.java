package java.lang;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;

/**
 * Numbers for objects, by which runs of a plan can be compared. A name that says how the object came to be is the same
 * in every run. Objects that turn up in any other way are counted as they do, and their names hold only in runs that begin
 * alike.
 *
 * <p>Objects are found by looking at those of the same class, since workers run with constant identity hash codes.
 */
final class RaddleObjectIds {
    private RaddleObjectIds() {
    }

    /** Where the class of an object is noted in its header: the same number for objects of one class. */
    private static final long CLASS_OFFSET = 8;
    /** What a name begins with says where it comes from; the rest are so many bits. */
    private static final int BITS = 36;
    private static final long OF_CLASS = 1L << BITS;
    private static final long FROM_PREFIX = 2L << BITS;
    private static final long OF_THREAD = 3L << BITS;
    /** In a location, this bit says that the name holds only in runs that begin alike. */
    private static final long PASSING = 4L << BITS | 1L << 39;

    /** Objects that are there before the threads and are looked at; finding them takes the longer the more they are. */
    private static final int MOST = 2000;
    private static final int NONE = -1;

    /** Objects and their names, and chains of those of like classes. */
    private static Object[] objects = new Object[256];
    private static long[] names = new long[256];
    private static int[] next = new int[256];
    private static int[] first = new int[256];
    private static int count;
    private static int passing;

    /** Classes, and where their objects refer to others. */
    private static Class<?>[] types = new Class<?>[64];
    private static long[][] references = new long[64][];
    private static int typeCount;
    private static final long[] NO_REFERENCES = {};

    static void reset() {
        for (int i = 0; i < count; i++) {
            objects[i] = null;
        }
        for (int i = 0; i < first.length; i++) {
            first[i] = NONE;
        }
        count = 0;
        passing = 0;
    }

    /** Another plan, perhaps with other classes. */
    static void forgetTypes() {
        for (int i = 0; i < typeCount; i++) {
            types[i] = null;
            references[i] = null;
        }
        typeCount = 0;
    }

    static long of(Object object) {
        int slot = slot(object);
        int before = NONE;
        for (int i = first[slot]; i >= 0; i = next[i]) {
            if (objects[i] == object) {
                if (before >= 0) {
                    // To the front: what is used is used again.
                    next[before] = next[i];
                    next[i] = first[slot];
                    first[slot] = i;
                }
                return names[i];
            }
            before = i;
        }
        return add(object, slot, name(object));
    }

    private static long name(Object object) {
        if (object instanceof Class) {
            return OF_CLASS | hash(((Class<?>) object).getName());
        }
        RaddleThread thread = object instanceof Thread ? RaddleModel.of(object) : null;
        return thread != null ? OF_THREAD | thread.id : PASSING | passing++;
    }

    /** The name of a class object, whether or not it has turned up. */
    static long ofClass(Class<?> type) {
        return ofClass(type.getName());
    }

    static long ofClass(String name) {
        return OF_CLASS | hash(name);
    }

    private static long hash(String text) {
        long hash = 0xCBF29CE484222325L;
        for (int i = 0; i < text.length(); i++) {
            hash = (hash ^ text.charAt(i)) * 0x100000001B3L;
        }
        return (hash ^ hash >>> BITS) & (1L << BITS) - 1;
    }

    private static int slot(Object object) {
        return RaddleScheduler.unsafe.getInt(object, CLASS_OFFSET) * 0x9E3779B9 >>> 8 & first.length - 1;
    }

    private static boolean isKnown(Object object) {
        for (int i = first[slot(object)]; i >= 0; i = next[i]) {
            if (objects[i] == object) {
                return true;
            }
        }
        return false;
    }

    private static long add(Object object, int slot, long name) {
        if (count == objects.length) {
            grow();
        }
        objects[count] = object;
        names[count] = name;
        next[count] = first[slot];
        first[slot] = count++;
        return name;
    }

    private static void grow() {
        Object[] moreObjects = new Object[count * 2];
        long[] moreNames = new long[count * 2];
        int[] moreNext = new int[count * 2];
        for (int i = 0; i < count; i++) {
            moreObjects[i] = objects[i];
            moreNames[i] = names[i];
            moreNext[i] = next[i];
        }
        objects = moreObjects;
        names = moreNames;
        next = moreNext;
    }

    /**
     * Before the threads begin: names all that the plan's variables and the static fields that are made anew lead to.
     * Nobody is controlled meanwhile, since looking at classes calls rewritten code.
     */
    static void begin() {
        RaddleThread running = Raddle.running;
        Raddle.running = null;
        try {
            for (Object variable : RaddleEngine.variables) {
                meet(variable);
            }
            for (Class<?> type : RaddleStatics.types()) {
                meetStatics(type);
            }
            for (int i = 0; i < count && count < MOST; i++) {
                meetParts(objects[i]);
            }
        } finally {
            Raddle.running = running;
        }
    }

    private static void meet(Object object) {
        if (object != null && !isKnown(object)) {
            boolean byItself = object instanceof Class || object instanceof Thread;
            add(object, slot(object), byItself ? name(object) : FROM_PREFIX | count);
        }
    }

    private static void meetStatics(Class<?> type) {
        try {
            for (Field field : type.getDeclaredFields()) {
                if (Modifier.isStatic(field.getModifiers()) && !field.getType().isPrimitive()) {
                    meet(RaddleScheduler.unsafe.getReference(RaddleScheduler.unsafe.staticFieldBase(field),
                            RaddleScheduler.unsafe.staticFieldOffset(field)));
                }
            }
        } catch (Throwable e) {
            // A type of one of them is missing: its objects have passing names.
        }
    }

    private static void meetParts(Object object) {
        if (object instanceof Object[]) {
            for (Object element : (Object[]) object) {
                if (count < MOST) {
                    meet(element);
                }
            }
            return;
        }
        for (long offset : references(object.getClass())) {
            meet(RaddleScheduler.unsafe.getReference(object, offset));
        }
    }

    private static long[] references(Class<?> type) {
        for (int i = 0; i < typeCount; i++) {
            if (types[i] == type) {
                return references[i];
            }
        }
        if (typeCount == types.length) {
            forgetTypes();
        }
        types[typeCount] = type;
        references[typeCount] = isOpaque(type) ? NO_REFERENCES : findReferences(type);
        return references[typeCount++];
    }

    /** Classes whose accesses are not seen, and which may lead anywhere. */
    private static boolean isOpaque(Class<?> type) {
        String name = type.getName();
        return type.isArray() || Thread.class.isAssignableFrom(type) || ClassLoader.class.isAssignableFrom(type)
                || name.startsWith("java.lang.") && !AbstractStringBuilder.class.isAssignableFrom(type)
                || name.startsWith("jdk.") || name.startsWith("sun.");
    }

    private static long[] findReferences(Class<?> type) {
        long[] found = new long[8];
        int size = 0;
        try {
            for (Class<?> at = type; at != null; at = at.getSuperclass()) {
                for (Field field : at.getDeclaredFields()) {
                    if (Modifier.isStatic(field.getModifiers()) || field.getType().isPrimitive()) {
                        continue;
                    }
                    if (size == found.length) {
                        long[] more = new long[size * 2];
                        System.arraycopy(found, 0, more, 0, size);
                        found = more;
                    }
                    found[size++] = RaddleScheduler.unsafe.objectFieldOffset(field);
                }
            }
        } catch (Throwable e) {
            // A type of one of them is missing: the rest has passing names.
        }
        long[] exact = new long[size];
        System.arraycopy(found, 0, exact, 0, size);
        return exact;
    }
}
