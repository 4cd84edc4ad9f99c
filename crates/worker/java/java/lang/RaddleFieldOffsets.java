package java.lang;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;

/**
 * Which part of an object an instruction accesses: a field by its offset, so that plain and atomic accesses of one field
 * are told to be the same; an element by its index. Sites are looked up once.
 */
final class RaddleFieldOffsets {
    private RaddleFieldOffsets() {
    }

    /** Of a location: so many bits are the part, the others the object. */
    static final int BITS = 24;
    /** In place of a part: perhaps any of them. */
    static final long ALL = (1L << BITS) - 1;

    /** In place of a location, or of what else is asked for. A part that is not known may be any. */
    static final long NOTHING = -1;
    static final long NOT_KNOWN = -2;

    /** What an atomic access is. */
    static final long READS = 1;
    private static final long BY_HANDLE = 2;
    private static final long OF_ELEMENT = 4;

    private static final String HANDLE = "java.lang.invoke.VarHandle.";

    /** Sites, and beside each what is known of it. Open addressing; 0 is no site. */
    private static int[] sites = new int[1024];
    private static long[] values = new long[1024];
    private static int known;
    private static final long ABSENT = Long.MIN_VALUE;

    /** Another plan, perhaps with other classes. */
    static void forget() {
        for (int i = 0; i < sites.length; i++) {
            sites[i] = 0;
        }
        known = 0;
    }

    private static long get(int site) {
        int mask = sites.length - 1;
        for (int at = site & mask; sites[at] != 0; at = at + 1 & mask) {
            if (sites[at] == site) {
                return values[at];
            }
        }
        return ABSENT;
    }

    private static long put(int site, long value) {
        if (known * 2 >= sites.length) {
            // Cheap to find out again.
            sites = new int[sites.length * 2];
            values = new long[sites.length];
            known = 0;
        }
        int mask = sites.length - 1;
        int at = site & mask;
        while (sites[at] != 0) {
            at = at + 1 & mask;
        }
        sites[at] = site;
        values[at] = value;
        known++;
        return value;
    }

    static long location(Object object, long part) {
        return RaddleObjectIds.of(object) << BITS | (part >= 0 && part < ALL ? part : ALL);
    }

    /** Of a plain access. */
    static long ofField(int site, Object object, long index) {
        if (index != -1 || object.getClass().isArray()) {
            return ALL;
        }
        long part = get(site);
        return part != ABSENT ? part : put(site, find(FIELD, site, object));
    }

    /** The location of a static field; nothing if the field is of an object, which is null then and will throw. */
    static long ofStatic(int site) {
        long location = get(site);
        if (location != ABSENT) {
            return location;
        }
        location = find(STATIC, site, null);
        // The same site may have an object next time.
        return location == NOTHING ? NOTHING : put(site, location);
    }

    /** What is known of an atomic access. */
    static long mode(int site) {
        long mode = get(site);
        return mode != ABSENT ? mode : put(site, find(MODE, site, null));
    }

    static long ofAtomic(long mode, Object base, long offset) {
        // Bytes may be accessed several at once.
        boolean wide = base instanceof byte[] || base instanceof char[];
        if ((mode & BY_HANDLE) != 0) {
            return (mode & OF_ELEMENT) != 0 && !wide ? offset : ALL;
        }
        if (!base.getClass().isArray()) {
            return offset;
        }
        Class<?> type = base.getClass();
        return wide ? ALL : (offset - RaddleFields.arrayBase(type))
                / RaddleScheduler.unsafe.arrayIndexScale(type);
    }

    private static final int FIELD = 0;
    private static final int STATIC = 1;
    private static final int MODE = 2;

    /** Nobody is controlled meanwhile: looking at names and fields calls rewritten code. */
    private static long find(int what, int site, Object object) {
        RaddleThread running = Raddle.running;
        Raddle.running = null;
        try {
            String target = RaddleNative.field(site);
            if (target == null) {
                return NOT_KNOWN;
            }
            switch (what) {
                case FIELD:
                    return findField(target, object);
                case STATIC:
                    return findStatic(target);
                default:
                    return findMode(target);
            }
        } catch (Throwable e) {
            return NOT_KNOWN;
        } finally {
            Raddle.running = running;
        }
    }

    /** A field is given as {@code p.Owner.name:descriptor}; it may be declared above its owner. */
    private static long findField(String target, Object object) {
        int colon = target.indexOf(':');
        if (colon < 0) {
            return NOT_KNOWN;
        }
        int dot = target.lastIndexOf('.', colon);
        String owner = target.substring(0, dot);
        String name = target.substring(dot + 1, colon);
        Class<?> type = object.getClass();
        while (type != null && !type.getName().equals(owner)) {
            type = type.getSuperclass();
        }
        for (; type != null; type = type.getSuperclass()) {
            for (Field field : type.getDeclaredFields()) {
                if (field.getName().equals(name) && !Modifier.isStatic(field.getModifiers())) {
                    return RaddleScheduler.unsafe.objectFieldOffset(field);
                }
            }
        }
        return NOT_KNOWN;
    }

    private static long findStatic(String target) throws ClassNotFoundException {
        int parameters = target.indexOf('(');
        if (parameters >= 0) {
            // A method that is not interleaved may touch all static state of its class.
            return RaddleObjectIds.ofClass(target.substring(0, target.lastIndexOf('.', parameters))) << BITS | ALL;
        }
        int colon = target.indexOf(':');
        if (colon < 0) {
            return NOT_KNOWN;
        }
        int dot = target.lastIndexOf('.', colon);
        Class<?> owner = Class.forName(target.substring(0, dot), false,
                RaddleEngine.plan.getClass().getClassLoader());
        Field found = resolve(owner, target.substring(dot + 1, colon));
        if (found == null) {
            return NOT_KNOWN;
        }
        if (!Modifier.isStatic(found.getModifiers())) {
            return NOTHING;
        }
        return RaddleObjectIds.ofClass(found.getDeclaringClass()) << BITS | RaddleScheduler.unsafe.staticFieldOffset(found);
    }

    /** As the JVM looks for it. */
    private static Field resolve(Class<?> type, String name) {
        for (Field field : type.getDeclaredFields()) {
            if (field.getName().equals(name)) {
                return field;
            }
        }
        for (Class<?> above : type.getInterfaces()) {
            Field found = resolve(above, name);
            if (found != null) {
                return found;
            }
        }
        return type.getSuperclass() == null ? null : resolve(type.getSuperclass(), name);
    }

    /** A method is given as {@code p.Owner.name(…)…}. */
    private static long findMode(String target) {
        int brace = target.indexOf('(');
        if (brace < 0) {
            return NOT_KNOWN;
        }
        String name = target.substring(target.lastIndexOf('.', brace) + 1, brace);
        boolean reads = name.startsWith("get") && !name.startsWith("getAnd");
        boolean byHandle = target.startsWith(HANDLE);
        boolean ofElement = byHandle && target.charAt(brace + 1) == '[';
        return (reads ? READS : 0) | (byHandle ? BY_HANDLE : 0) | (ofElement ? OF_ELEMENT : 0);
    }
}
