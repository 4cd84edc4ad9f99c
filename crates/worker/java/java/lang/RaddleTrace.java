package java.lang;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.HashMap;
import jdk.internal.misc.Unsafe;

/** The events of a run with the values they read and write. Only for runs that people look at. */
final class RaddleTrace {
    private RaddleTrace() {
    }

    /** Where a field is. */
    private static final class Location {
        final long offset;
        final char type;
        final String name;
        /** Of static fields. */
        final Object base;

        Location(Field field) {
            Unsafe unsafe = RaddleScheduler.unsafe;
            boolean isStatic = Modifier.isStatic(field.getModifiers());
            offset = isStatic ? unsafe.staticFieldOffset(field) : unsafe.objectFieldOffset(field);
            base = isStatic ? unsafe.staticFieldBase(field) : null;
            type = field.getType().descriptorString().charAt(0);
            name = field.getName();
        }

        /** Whether two values of it are the same to those who read it. */
        boolean isSame(Object one, Object other) {
            return type == 'L' || type == '[' ? one == other : one.equals(other);
        }

        Object get(Object object) {
            Unsafe unsafe = RaddleScheduler.unsafe;
            Object from = base == null ? object : base;
            switch (type) {
                case 'Z':
                    return unsafe.getBoolean(from, offset);
                case 'B':
                    return unsafe.getByte(from, offset);
                case 'S':
                    return unsafe.getShort(from, offset);
                case 'C':
                    return unsafe.getChar(from, offset);
                case 'I':
                    return unsafe.getInt(from, offset);
                case 'J':
                    return unsafe.getLong(from, offset);
                case 'F':
                    return unsafe.getFloat(from, offset);
                case 'D':
                    return unsafe.getDouble(from, offset);
                default:
                    return unsafe.getReference(from, offset);
            }
        }
    }

    /** What an atomic operation did. Not every one says which field it is about, so all that may be are looked at. */
    private static final class Change {
        final Location[] fields;
        final Object[] before;
        /** Of what changed; none if nothing did. */
        String field;
        Object from;
        Object to;

        Change(Object object) {
            fields = variables(object.getClass());
            before = new Object[fields.length];
            for (int i = 0; i < fields.length; i++) {
                before[i] = fields[i].get(object);
            }
        }

        void finish(Object object) {
            for (int i = 0; i < fields.length; i++) {
                Object after = fields[i].get(object);
                if (!fields[i].isSame(before[i], after)) {
                    field = fields[i].name;
                    from = before[i];
                    to = after;
                    return;
                }
            }
        }

        String text() {
            return field == null ? "unchanged" : field + ' ' + RaddleTrace.text(from) + " → " + RaddleTrace.text(to);
        }
    }

    /** In place of a value that is not known. */
    private static final Object UNKNOWN = new Object();

    private static HashMap<Integer, Location> locations = new HashMap<>();
    private static HashMap<Class<?>, Location[]> atomics = new HashMap<>();
    private static Object[] known = new Object[64];
    private static int knownCount;

    /** Values of the events so far, and the event whose write is not done yet. */
    private static Object[] values = new Object[256];
    private static int pendingWrite = -1;

    static void reset() {
        pendingWrite = -1;
        locations.clear();
        atomics.clear();
        RaddleSequentialProfile.reset();
    }

    /**
     * An event is about to happen. What was to be written before has been written by now. Nobody is controlled
     * meanwhile: looking at values calls rewritten code.
     */
    static void capture(int event, RaddleThread t) {
        RaddleThread running = Raddle.running;
        Raddle.running = null;
        try {
            finish();
            if (event >= values.length) {
                Object[] more = new Object[values.length * 2];
                System.arraycopy(values, 0, more, 0, values.length);
                values = more;
            }
            values[event] = UNKNOWN;
            if (RaddleSequentialProfile.isOn) {
                RaddleSequentialProfile.capture(t);
            }
            if (t.op == RaddleThread.READ) {
                values[event] = value(t.site, t.object, t.index);
            } else if (t.op == RaddleThread.WRITE) {
                pendingWrite = event;
            } else if (t.op == RaddleThread.ATOMIC && t.object != null && isOpen(t.object)) {
                values[event] = new Change(t.object);
                pendingWrite = event;
            }
        } finally {
            Raddle.running = running;
        }
    }

    private static void finish() {
        int event = pendingWrite;
        if (event >= 0) {
            pendingWrite = -1;
            if (values[event] instanceof Change) {
                ((Change) values[event]).finish(RaddleRecord.traceObjects[event]);
                return;
            }
            values[event] = value(RaddleRecord.traceSites[event], RaddleRecord.traceObjects[event],
                    RaddleRecord.traceIndices[event]);
        }
    }

    private static Object value(int site, Object object, long index) {
        try {
            if (index >= 0) {
                return Array.get(object, (int) index);
            }
            Location location = locations.get(site);
            if (location == null) {
                location = locate(RaddleNative.field(site), object);
                locations.put(site, location);
            }
            // What is about to be read of null, or written, throws.
            return location == null || object == null && location.base == null ? UNKNOWN : location.get(object);
        } catch (Throwable e) {
            return UNKNOWN;
        }
    }

    /**
     * A field is given as {@code p.Owner.name:descriptor}; it may be declared above its owner. What is below the owner may have a
     * field of the same name, which is another one, and which other objects that come here do not have.
     */
    private static Location locate(String field, Object object) throws ClassNotFoundException {
        if (field == null) {
            return null;
        }
        int colon = field.indexOf(':');
        int dot = field.lastIndexOf('.', colon);
        String name = field.substring(dot + 1, colon);
        String owner = field.substring(0, dot);
        Class<?> type = null;
        if (object == null) {
            type = Class.forName(owner, false, RaddleEngine.plan.getClass().getClassLoader());
        } else {
            for (type = object.getClass(); type != null && !type.getName().equals(owner);) {
                type = type.getSuperclass();
            }
        }
        for (; type != null; type = type.getSuperclass()) {
            for (Field candidate : type.getDeclaredFields()) {
                if (candidate.getName().equals(name)) {
                    return new Location(candidate);
                }
            }
        }
        return null;
    }

    /** The fields that an atomic operation may be about. */
    private static Location[] variables(Class<?> type) {
        Location[] found = atomics.get(type);
        if (found != null) {
            return found;
        }
        ArrayList<Location> fields = new ArrayList<>();
        for (Class<?> at = type; at != null; at = at.getSuperclass()) {
            for (Field field : at.getDeclaredFields()) {
                if ((field.getModifiers() & (Modifier.STATIC | Modifier.FINAL)) == 0) {
                    fields.add(new Location(field));
                }
            }
        }
        found = fields.toArray(new Location[0]);
        atomics.put(type, found);
        return found;
    }

    /** Whether all fields of an object can be looked at: reflection hides some of these classes. */
    private static boolean isOpen(Object object) {
        Class<?> type = object.getClass();
        return !type.isArray() && !(object instanceof Thread) && !(object instanceof ClassLoader) && type != Class.class;
    }

    /** The run is over; what follows may change what its objects hold. */
    static void ended() {
        finish();
        RaddleSequentialProfile.ended();
    }

    static void write(RaddleOut out) {
        knownCount = 0;
        out.i32(RaddleRecord.traceCount);
        for (int i = 0; i < RaddleRecord.traceCount; i++) {
            Object object = RaddleRecord.traceObjects[i];
            out.u8(RaddleRecord.traceThreads[i]);
            out.u8(RaddleRecord.traceOps[i]);
            out.i32(RaddleRecord.traceSites[i]);
            out.i32(RaddleRecord.traceCallers[i]);
            out.i32(label(object));
            out.i32((int) RaddleRecord.traceIndices[i]);
            out.utf(name(object));
            out.utf(values[i] == UNKNOWN ? "" : text(values[i]));
            RaddleRecord.traceObjects[i] = null;
            values[i] = null;
        }
        RaddleFinalFieldLinks.write(out, known.clone(), knownCount);
        RaddleSequentialProfile.write(out);
        for (int i = 0; i < knownCount; i++) {
            known[i] = null;
        }
    }

    static String name(Object object) {
        if (object == null) {
            return "";
        }
        if (object instanceof RaddleThread) {
            return ((RaddleThread) object).thread.getName();
        }
        if (object instanceof RaddleInitialiser) {
            return "the initialiser of " + ((RaddleInitialiser) object).type.getName();
        }
        int variable = RaddleValues.variable(object, RaddleEngine.variables);
        return variable >= 0 ? "$" + variable : RaddleValues.className(object);
    }

    /** Objects by name: what is in them now is not what was in them then. */
    private static String text(Object value) {
        if (value instanceof Change) {
            return ((Change) value).text();
        }
        boolean byContent = value == null || value instanceof String || value instanceof Number
                || value instanceof Boolean || value instanceof Character || value instanceof Enum;
        return byContent ? RaddleValues.text(value) : name(value) + '#' + label(value);
    }

    /** Objects are numbered from 1 in the order in which they turn up. */
    static int label(Object object) {
        if (object == null) {
            return 0;
        }
        for (int i = 0; i < knownCount; i++) {
            if (known[i] == object) {
                return i + 1;
            }
        }
        if (knownCount == known.length) {
            Object[] more = new Object[knownCount * 2];
            System.arraycopy(known, 0, more, 0, knownCount);
            known = more;
        }
        known[knownCount++] = object;
        return knownCount;
    }
}
