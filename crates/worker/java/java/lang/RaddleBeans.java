package java.lang;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.Set;
import jdk.internal.misc.Unsafe;

/**
 * The platform's register of beans, in which people register things under names of their own: before every run it holds what
 * it held at first. To make it anew takes longer than most runs, so it is made once and cleared.
 *
 * <p>By reflection, since it is of a module that this one does not know, and that nobody may have loaded.
 */
final class RaddleBeans {
    private RaddleBeans() {
    }

    private static final String FACTORY = "java.lang.management.ManagementFactory";

    /** Where the platform keeps it. */
    private static Object base;
    private static long offset;
    private static Method names;
    private static Method unregister;

    private static Object server;
    private static Set<?> first;
    private static boolean isBroken;

    /** Nobody is controlled. */
    static void restore() {
        if (isBroken) {
            return;
        }
        try {
            if (server != null) {
                clear();
            } else if (isUsed()) {
                begin();
            }
        } catch (Throwable e) {
            isBroken = true;
        }
    }

    private static boolean isUsed() throws ReflectiveOperationException {
        if (base == null) {
            Field field = Class.forName(FACTORY, false, null).getDeclaredField("platformMBeanServer");
            base = RaddleScheduler.unsafe.staticFieldBase(field);
            offset = RaddleScheduler.unsafe.staticFieldOffset(field);
        }
        return RaddleScheduler.unsafe.getReferenceVolatile(base, offset) != null;
    }

    /** One that nobody but the platform has registered anything with. */
    private static void begin() throws ReflectiveOperationException {
        Unsafe unsafe = RaddleScheduler.unsafe;
        Class<?> type = Class.forName("javax.management.MBeanServer", true, null);
        Class<?> name = Class.forName("javax.management.ObjectName", true, null);
        names = type.getMethod("queryNames", name, Class.forName("javax.management.QueryExp", true, null));
        unregister = type.getMethod("unregisterMBean", name);
        unsafe.putReferenceVolatile(base, offset, null);
        server = Class.forName(FACTORY, true, null).getMethod("getPlatformMBeanServer").invoke(null);
        first = (Set<?>) names.invoke(server, null, null);
    }

    private static void clear() throws ReflectiveOperationException {
        Unsafe unsafe = RaddleScheduler.unsafe;
        if (unsafe.getReferenceVolatile(base, offset) != server) {
            unsafe.putReferenceVolatile(base, offset, server);
        }
        Set<?> now = (Set<?>) names.invoke(server, null, null);
        if (now.size() == first.size()) {
            return;
        }
        for (Object name : now.toArray()) {
            if (!first.contains(name)) {
                unregister.invoke(server, name);
            }
        }
    }
}
