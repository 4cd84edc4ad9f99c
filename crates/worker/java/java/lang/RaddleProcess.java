package java.lang;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import jdk.internal.misc.Unsafe;

/**
 * What the whole process shares and any code may set: as it was at first, before every run. Classes of the class path are
 * made anew by {@link RaddleStatics}; these are of the platform, which cannot be.
 */
final class RaddleProcess {
    private RaddleProcess() {
    }

    /** Class, static field, and what it counts from if that is not what it was at first; some exist in some JDKs only. */
    private static final String[][] FIELDS = {
        // Settings with a public setter.
        {"java.lang.System", "in"},
        {"java.lang.System", "out"},
        {"java.lang.System", "err"},
        {"java.lang.System", "props"},
        {"java.lang.Thread", "defaultUncaughtExceptionHandler"},
        {"java.util.Locale", "defaultLocale"},
        {"java.util.Locale", "defaultDisplayLocale"},
        {"java.util.Locale", "defaultFormatLocale"},
        {"java.util.TimeZone", "defaultTimeZone"},
        {"java.net.URL", "factory"},
        {"java.net.ProxySelector", "theProxySelector"},
        // Counters that show in names and seeds.
        {"java.lang.Thread", "threadInitNumber"},
        {"java.lang.Thread$ThreadNumbering", "next"},
        {"java.util.concurrent.Executors$DefaultThreadFactory", "poolNumber"},
        {"java.util.concurrent.ForkJoinPool", "poolNumberSequence"},
        {"java.util.concurrent.ForkJoinPool", "poolIds"},
        {"java.util.concurrent.ScheduledThreadPoolExecutor", "sequencer"},
        {"java.util.Timer", "nextSerialNumber"},
        {"java.util.SplittableRandom", "defaultGen"},
        // What threads draw from that ask for a new seed; made from the time, so it is zero in every run.
        {"java.util.concurrent.ThreadLocalRandom", "probeGenerator", "0"},
        {"java.util.concurrent.ThreadLocalRandom", "seeder", "0"},
        // What was looked up last.
        {"java.nio.charset.Charset", "cache1"},
        {"java.nio.charset.Charset", "cache2"},
    };

    private static Class<?>[] types;
    private static Object[] bases;
    private static long[] offsets;
    private static boolean[] isNumber;
    private static Object[] objects;
    private static long[] numbers;
    private static int count;

    /** Where the number of the next thread is kept: a static field, or memory that the JVM has; 0 if it is nowhere known. */
    private static Object threadIds;
    private static long threadIdsAt;
    /**
     * More than the threads of the JVM have used up, whichever JDK it is. The threads of plans come first, each with an id of
     * its own whenever it is made: classes of the platform take threads with one id for one thread, and in every JVM the
     * same classes must see the same ids. What tests start comes behind them.
     */
    private static final long FIRST_PLAN_ID = 1_000;
    private static final long FIRST_THREAD_ID = 2_000;

    private static Properties properties;
    private static Object[] names;
    private static Object[] values;

    /** Once, before the first plan. */
    static void init() {
        types = new Class<?>[FIELDS.length];
        bases = new Object[FIELDS.length];
        offsets = new long[FIELDS.length];
        isNumber = new boolean[FIELDS.length];
        objects = new Object[FIELDS.length];
        numbers = new long[FIELDS.length];
        Unsafe unsafe = RaddleScheduler.unsafe;
        for (String[] field : FIELDS) {
            try {
                Class<?> type = Class.forName(field[0], true, null);
                Field found = type.getDeclaredField(field[1]);
                boolean isKnown = !found.getType().isPrimitive() || found.getType() == int.class;
                if (Modifier.isStatic(found.getModifiers()) && isKnown) {
                    types[count] = type;
                    bases[count] = unsafe.staticFieldBase(found);
                    offsets[count] = unsafe.staticFieldOffset(found);
                    isNumber[count] = found.getType() == int.class;
                    save(count);
                    numbers[count] = field.length > 2 ? Long.parseLong(field[2]) : numbers[count];
                    count++;
                }
            } catch (Throwable e) {
                // Not in this JDK.
            }
        }
        findThreadIds();
        RaddleCommonPool.init();
        properties = System.getProperties();
        Map.Entry<?, ?>[] entries = properties.entrySet().toArray(new Map.Entry<?, ?>[0]);
        names = new Object[entries.length];
        values = new Object[entries.length];
        for (int i = 0; i < entries.length; i++) {
            names[i] = entries[i].getKey();
            values[i] = entries[i].getValue();
        }
    }

    private static void findThreadIds() {
        Unsafe unsafe = RaddleScheduler.unsafe;
        try {
            Field next = Thread.class.getDeclaredField("threadSeqNumber");
            threadIds = unsafe.staticFieldBase(next);
            threadIdsAt = unsafe.staticFieldOffset(next);
        } catch (NoSuchFieldException e) {
            findRawThreadIds();
        }
    }

    /** The next thread that is made is that of a plan. */
    static void numberNextThread(int index) {
        setNextThreadId(FIRST_PLAN_ID + index);
    }

    private static void setNextThreadId(long id) {
        if (threadIdsAt != 0) {
            RaddleScheduler.unsafe.putLongVolatile(threadIds, threadIdsAt, id);
        }
    }

    private static void findRawThreadIds() {
        Unsafe unsafe = RaddleScheduler.unsafe;
        try {
            Field next = Class.forName("java.lang.Thread$ThreadIdentifiers", true, null).getDeclaredField("NEXT_TID_OFFSET");
            threadIdsAt = unsafe.getLong(unsafe.staticFieldBase(next), unsafe.staticFieldOffset(next));
        } catch (ReflectiveOperationException e) {
            // Another JDK keeps them elsewhere.
        }
    }

    private static void save(int i) {
        Unsafe unsafe = RaddleScheduler.unsafe;
        if (isNumber[i]) {
            numbers[i] = unsafe.getInt(bases[i], offsets[i]);
        } else {
            objects[i] = unsafe.getReference(bases[i], offsets[i]);
            if (objects[i] instanceof AtomicLong) {
                numbers[i] = ((AtomicLong) objects[i]).get();
            } else if (objects[i] instanceof AtomicInteger) {
                numbers[i] = ((AtomicInteger) objects[i]).get();
            }
        }
    }

    /** Nobody is controlled. */
    static void restore() {
        Unsafe unsafe = RaddleScheduler.unsafe;
        for (int i = 0; i < count; i++) {
            if (isNumber[i]) {
                unsafe.putIntVolatile(bases[i], offsets[i], (int) numbers[i]);
            } else if (objects[i] instanceof AtomicLong) {
                ((AtomicLong) objects[i]).set(numbers[i]);
            } else if (objects[i] instanceof AtomicInteger) {
                ((AtomicInteger) objects[i]).set((int) numbers[i]);
            } else if (unsafe.getReference(bases[i], offsets[i]) != objects[i]) {
                unsafe.putReferenceVolatile(bases[i], offsets[i], objects[i]);
            }
        }
        setNextThreadId(FIRST_THREAD_ID);
        RaddleCommonPool.restore();
        RaddleBeans.restore();
        boolean isSame = properties.size() == names.length;
        for (int i = 0; isSame && i < names.length; i++) {
            isSame = properties.get(names[i]) == values[i];
        }
        if (!isSame) {
            properties.clear();
            for (int i = 0; i < names.length; i++) {
                properties.put(names[i], values[i]);
            }
        }
    }
}
