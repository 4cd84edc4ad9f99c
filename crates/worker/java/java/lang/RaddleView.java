package java.lang;

import java.lang.invoke.MethodType;
import java.lang.ref.Reference;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.Spliterator;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.stream.BaseStream;

/**
 * What is looked at of the objects of a class, so that two of them have the same text if they are the same to those who use
 * them. What a class says of itself (its elements, its text) goes before what is in its fields, which may be caches and
 * counts that nobody else sees.
 */
final class RaddleView {
    /** Nothing but the class: asking would use it up, or it is an agent and no value. */
    static final int CLASS = 0;
    static final int ARRAY = 1;
    static final int COLLECTION = 2;
    /** A collection whose order means nothing: two of them are equal whatever it is. */
    static final int SET = 3;
    static final int MAP = 4;
    static final int ENTRY = 5;
    static final int ITERABLE = 6;
    static final int OPTIONAL = 7;
    static final int FUTURE = 8;
    static final int TEXT = 9;
    static final int FIELDS = 10;

    private static final int MOST_VIEWS = 1000;

    final int kind;
    final String name;
    /** Whether it matters if two results are one object or two: not of values, which say themselves when they are equal. */
    final boolean hasIdentity;
    /** Of {@link #FIELDS}, those of superclasses first. */
    final String[] fields;
    final long[] offsets;
    final char[] types;

    /** Looking at an object of this class came to no end in a run of this plan. It would again, at the same cost, in every
     * run; and the clone of a chart takes a hundred times as long to look at as to make. */
    boolean isEndless;

    private static final HashMap<Class<?>, RaddleView> views = new HashMap<>();

    private RaddleView(Class<?> type) {
        name = RaddleValues.className(type);
        kind = kind(type);
        hasIdentity = hasIdentity(type, kind);
        ArrayList<Field> found = new ArrayList<>();
        if (kind == FIELDS) {
            gather(type, found);
        }
        fields = new String[found.size()];
        offsets = new long[fields.length];
        types = new char[fields.length];
        for (int i = 0; i < fields.length; i++) {
            Field field = found.get(i);
            fields[i] = field.getName();
            offsets[i] = RaddleScheduler.unsafe.objectFieldOffset(field);
            types[i] = field.getType().descriptorString().charAt(0);
        }
    }

    /** A new plan. Classes of earlier ones are not to be kept for ever. */
    static void forget() {
        if (views.size() > MOST_VIEWS) {
            views.clear();
        }
        for (RaddleView view : views.values()) {
            view.isEndless = false;
        }
    }

    /** Nobody is controlled meanwhile: looking at classes calls rewritten code. */
    static RaddleView of(Class<?> type) {
        RaddleThread running = Raddle.running;
        Raddle.running = null;
        try {
            RaddleView view = views.get(type);
            if (view == null) {
                view = new RaddleView(type);
                views.put(type, view);
            }
            return view;
        } finally {
            Raddle.running = running;
        }
    }

    private static int kind(Class<?> type) {
        if (type.isArray()) {
            return ARRAY;
        }
        if (type.isHidden() || Proxy.isProxyClass(type) || isUsedUp(type) || isAgent(type)) {
            return CLASS;
        }
        if (Map.class.isAssignableFrom(type)) {
            return MAP;
        }
        if (Collection.class.isAssignableFrom(type)) {
            return Set.class.isAssignableFrom(type) ? SET : COLLECTION;
        }
        if (Map.Entry.class.isAssignableFrom(type)) {
            return ENTRY;
        }
        if (type == Optional.class) {
            return OPTIONAL;
        }
        if (Future.class.isAssignableFrom(type)) {
            return FUTURE;
        }
        if (type.isRecord()) {
            return FIELDS;
        }
        if (overrides(type, "toString", MethodType.methodType(String.class))) {
            return TEXT;
        }
        if (Iterable.class.isAssignableFrom(type)) {
            return ITERABLE;
        }
        // What is inside the JDK's own classes is theirs.
        return isPlatform(type) ? CLASS : FIELDS;
    }

    private static boolean isUsedUp(Class<?> type) {
        return Iterator.class.isAssignableFrom(type) || Enumeration.class.isAssignableFrom(type)
                || Spliterator.class.isAssignableFrom(type) || BaseStream.class.isAssignableFrom(type);
    }

    private static boolean isAgent(Class<?> type) {
        return Thread.class.isAssignableFrom(type) || ThreadGroup.class.isAssignableFrom(type)
                || ClassLoader.class.isAssignableFrom(type) || Process.class.isAssignableFrom(type)
                || Executor.class.isAssignableFrom(type) || Reference.class.isAssignableFrom(type)
                // Messages often name threads or times.
                || Throwable.class.isAssignableFrom(type);
    }

    private static boolean hasIdentity(Class<?> type, int kind) {
        if (kind != TEXT && kind != FIELDS && kind != CLASS && kind != FUTURE || type.isRecord() || type.isHidden()
                || isUsedUp(type) || Throwable.class.isAssignableFrom(type)) {
            return false;
        }
        return !overrides(type, "equals", MethodType.methodType(boolean.class, Object.class));
    }

    /** Not by plain reflection, which looks at all methods of a class, and fails when a type of one is missing. */
    private static boolean overrides(Class<?> type, String method, MethodType signature) {
        try {
            return RaddleStatics.lookup().revealDirect(RaddleStatics.lookup().findVirtual(type, method, signature))
                    .getDeclaringClass() != Object.class;
        } catch (ReflectiveOperationException | LinkageError | IllegalArgumentException e) {
            return false;
        }
    }

    private static boolean isPlatform(Class<?> type) {
        ClassLoader loader = type.getClassLoader();
        return loader == null || loader == ClassLoader.getPlatformClassLoader();
    }

    /** Fields that are no part of what is stored are caches, and those that the compiler made lead out of the object. */
    private static void gather(Class<?> type, ArrayList<Field> found) {
        if (type == null || isPlatform(type)) {
            return;
        }
        gather(type.getSuperclass(), found);
        for (Field field : RaddleFinalFieldLinks.fields(type)) {
            if (!Modifier.isStatic(field.getModifiers()) && !Modifier.isTransient(field.getModifiers())
                    && !field.isSynthetic()) {
                found.add(field);
            }
        }
    }
}
