package java.lang;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.locks.ReentrantLock;
import jdk.internal.misc.Unsafe;

/**
 * The pool that all code shares, as it was before anybody had used it. The threads of a run end with it, in the midst of
 * whatever the pool was doing, so that nothing it says of them is true in the next one.
 */
final class RaddleCommonPool {
    private RaddleCommonPool() {
    }

    private static ForkJoinPool pool;
    private static long[] offsets = new long[0];
    private static char[] kinds;
    private static long[] numbers;
    private static Object[] objects;
    /** Of fields that hold arrays: what was in these. */
    private static Object[][] elements;
    private static int count;

    /** Once, before the first plan. */
    static void init() {
        pool = ForkJoinPool.commonPool();
        Field[] fields = ForkJoinPool.class.getDeclaredFields();
        offsets = new long[fields.length];
        kinds = new char[fields.length];
        numbers = new long[fields.length];
        objects = new Object[fields.length];
        elements = new Object[fields.length][];
        Unsafe unsafe = RaddleScheduler.unsafe;
        for (Field field : fields) {
            if (Modifier.isStatic(field.getModifiers())) {
                continue;
            }
            int i = count++;
            long offset = unsafe.objectFieldOffset(field);
            Class<?> type = field.getType();
            offsets[i] = offset;
            if (type == long.class) {
                kinds[i] = 'J';
                numbers[i] = unsafe.getLong(pool, offset);
            } else if (type == int.class) {
                kinds[i] = 'I';
                numbers[i] = unsafe.getInt(pool, offset);
            } else if (!type.isPrimitive()) {
                kinds[i] = 'L';
                objects[i] = unsafe.getReference(pool, offset);
                if (objects[i] instanceof Object[]) {
                    elements[i] = ((Object[]) objects[i]).clone();
                }
            } else {
                count--;
            }
        }
    }

    /** Nobody is controlled. */
    static void restore() {
        Unsafe unsafe = RaddleScheduler.unsafe;
        for (int i = 0; i < count; i++) {
            switch (kinds[i]) {
                case 'J':
                    unsafe.putLong(pool, offsets[i], numbers[i]);
                    break;
                case 'I':
                    unsafe.putInt(pool, offsets[i], (int) numbers[i]);
                    break;
                default:
                    restore(i);
                    break;
            }
        }
        unsafe.fullFence();
    }

    private static void restore(int i) {
        Unsafe unsafe = RaddleScheduler.unsafe;
        Object object = objects[i];
        if (elements[i] != null) {
            Object[] array = (Object[]) object;
            for (int k = 0; k < array.length; k++) {
                array[k] = elements[i][k];
            }
        }
        if (object instanceof ReentrantLock) {
            // Whoever had it has ended.
            object = new ReentrantLock();
        }
        unsafe.putReference(pool, offsets[i], object);
    }
}
