package java.lang;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.HashMap;
import jdk.internal.misc.Unsafe;

/**
 * What a test of one thread tells besides its events: how each was come to, and what the objects were like before and after
 * each call. Two states of a variable are equal if all that can be reached from it is, identities aside.
 */
final class RaddleSequentialProfile {
    private RaddleSequentialProfile() {
    }

    /** Objects that are looked at; what is beyond does not count. */
    private static final int MOST = 400;
    private static final int MOST_ELEMENTS = 1000;
    private static final int MOST_SHAPES = 1000;
    private static final long PRIME = 0x100000001B3L;

    static boolean isOn;

    private static long[] contexts = new long[256];
    private static int contextCount;
    private static long[] states = new long[32];
    private static int stateCount;

    /** How to look into objects of a class: offsets and types of its fields, those of its superclasses included. */
    private static final class Shape {
        final long[] offsets;
        final char[] types;

        Shape(Class<?> type) {
            ArrayList<Field> fields = new ArrayList<>();
            for (Class<?> at = type; at != null; at = at.getSuperclass()) {
                for (Field field : RaddleFinalFieldLinks.fields(at)) {
                    if (!Modifier.isStatic(field.getModifiers())) {
                        fields.add(field);
                    }
                }
            }
            offsets = new long[fields.size()];
            types = new char[offsets.length];
            for (int i = 0; i < offsets.length; i++) {
                Field field = fields.get(i);
                offsets[i] = RaddleScheduler.unsafe.objectFieldOffset(field);
                types[i] = field.getType().descriptorString().charAt(0);
            }
        }
    }

    private static final HashMap<Class<?>, Shape> shapes = new HashMap<>();
    private static final Object[] met = new Object[MOST];
    private static int metCount;
    private static long hash;

    static void reset() {
        isOn = false;
        contextCount = 0;
        stateCount = 0;
        // Classes of earlier plans are not to be kept for ever.
        if (shapes.size() > MOST_SHAPES) {
            shapes.clear();
        }
    }

    /** The threads begin. Only a test that prepares its objects first is looked at so closely, which takes time. */
    static void begin() {
        for (Object variable : RaddleEngine.variables) {
            isOn |= variable != null && RaddleEngine.workers.length == 1;
        }
    }

    static void capture(RaddleThread t) {
        if (contextCount == contexts.length) {
            contexts = grown(contexts);
        }
        contexts[contextCount] = RaddleNative.context(contextCount == 0);
        contextCount++;
        if (t.op == RaddleThread.CALL && t.id == 1) {
            note();
        }
    }

    /** A number for each variable. */
    private static void note() {
        for (Object variable : RaddleEngine.variables) {
            if (stateCount == states.length) {
                states = grown(states);
            }
            states[stateCount++] = state(variable);
        }
    }

    private static long[] grown(long[] from) {
        long[] more = new long[from.length * 2];
        System.arraycopy(from, 0, more, 0, from.length);
        return more;
    }

    static void ended() {
        if (isOn) {
            note();
        }
    }

    static void write(RaddleOut out) {
        write(out, contexts, 0, contextCount);
        int width = RaddleEngine.variables.length;
        int count = width == 0 ? 0 : stateCount / width;
        out.i32(count);
        for (int i = 0; i < count; i++) {
            write(out, states, i * width, width);
        }
    }

    private static void write(RaddleOut out, long[] numbers, int from, int count) {
        out.i32(count);
        for (int i = from; i < from + count; i++) {
            out.i64(numbers[i]);
        }
    }

    private static long state(Object variable) {
        hash = 0xCBF29CE484222325L;
        metCount = 0;
        meet(variable);
        for (int i = 0; i < metCount; i++) {
            look(met[i]);
        }
        for (int i = 0; i < metCount; i++) {
            met[i] = null;
        }
        return hash;
    }

    private static void mix(long value) {
        hash = (hash ^ value) * PRIME;
        hash ^= hash >>> 29;
    }

    /** An object by the order in which it is come to; no object is asked for its identity hash code, which would give it
     * one. */
    private static void meet(Object object) {
        if (object == null) {
            mix(-1);
            return;
        }
        for (int i = 0; i < metCount; i++) {
            if (met[i] == object) {
                mix(i);
                return;
            }
        }
        mix(metCount);
        if (metCount < MOST) {
            met[metCount++] = object;
        }
    }

    private static void look(Object object) {
        Class<?> type = object.getClass();
        mix(type.getName().hashCode());
        if (object instanceof String) {
            mix(object.hashCode());
        } else if (object instanceof Class) {
            mix(((Class<?>) object).getName().hashCode());
        } else if (type.isArray()) {
            elements(object, type);
        } else if (!(object instanceof Thread || object instanceof ClassLoader || object instanceof RaddleThread)) {
            Shape shape = shapes.get(type);
            if (shape == null) {
                shape = new Shape(type);
                shapes.put(type, shape);
            }
            for (int i = 0; i < shape.offsets.length; i++) {
                value(object, shape.offsets[i], shape.types[i]);
            }
        }
    }

    private static void elements(Object array, Class<?> type) {
        Unsafe unsafe = RaddleScheduler.unsafe;
        char element = type.getComponentType().descriptorString().charAt(0);
        int length = java.lang.reflect.Array.getLength(array);
        mix(length);
        long base = RaddleFields.arrayBase(type);
        long scale = unsafe.arrayIndexScale(type);
        for (int i = 0; i < length && i < MOST_ELEMENTS; i++) {
            value(array, base + i * scale, element);
        }
    }

    private static void value(Object object, long offset, char type) {
        Unsafe unsafe = RaddleScheduler.unsafe;
        switch (type) {
            case 'Z':
            case 'B':
                mix(unsafe.getByte(object, offset));
                break;
            case 'S':
            case 'C':
                mix(unsafe.getShort(object, offset));
                break;
            case 'I':
            case 'F':
                mix(unsafe.getInt(object, offset));
                break;
            case 'J':
            case 'D':
                mix(unsafe.getLong(object, offset));
                break;
            default:
                meet(unsafe.getReference(object, offset));
        }
    }
}
