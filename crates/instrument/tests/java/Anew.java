import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** Static state of every kind, changed, cleared and made anew. */
public class Anew {
    static int count;
    static long total = 5L << 40;
    static final Map<String, String> MAP = new TreeMap<>();
    static final double ROOT = Math.sqrt(4);
    static final int CONSTANT = 7;
    static volatile float ratio = 1.5f;
    static boolean ready = true;
    static char letter = 'x';
    static int[] numbers = {1, 2};
    private static final Object LOCK = new Object();
    static final Object SAME = LOCK;

    static {
        assert count == 0;
        for (int i = 0; i < 3; i++) {
            try {
                MAP.put("n" + i, String.valueOf(100 / i));
            } catch (ArithmeticException e) {
                MAP.put("none", "yes");
            }
        }
    }

    enum Colour {
        RED;
        static int asked;
    }

    interface Names {
        List<String> ALL = new ArrayList<>();
    }

    static class Plain {
        static int value;
        static String text;
    }

    static class Constants {
        static final String NAME = "name";
    }

    static String state() {
        return count + " " + total + " " + MAP + " " + ROOT + " " + ratio + " " + ready + " " + (int) letter + " "
            + (numbers == null ? null : numbers.length) + " " + (LOCK == null) + " " + (SAME == LOCK);
    }

    static int of(TimeUnit unit) {
        switch (unit) {
            case DAYS:
                return 1;
            default:
                return 2;
        }
    }

    static void call(Class<?> type, String name) throws Exception {
        Method method = type.getDeclaredMethod(name);
        method.setAccessible(true);
        method.invoke(null);
    }

    static String added(Class<?> type) {
        List<String> names = new ArrayList<>();
        for (Method method : type.getDeclaredMethods()) {
            if (method.getName().startsWith("raddle$") && method.isSynthetic()) {
                names.add(method.getName());
            }
        }
        names.sort(null);
        return type.getName() + " " + names;
    }

    public static void main(String[] args) throws Exception {
        System.out.println(state());
        Object old = LOCK;
        count += of(TimeUnit.DAYS);
        total = 1;
        MAP.put("more", "more");
        ratio = 2;
        ready = false;
        letter = 'y';
        numbers = new int[9];
        System.out.println(state());
        call(Anew.class, "raddle$clear");
        System.out.println(state());
        call(Anew.class, "raddle$initialise");
        System.out.println(state());
        System.out.println(of(TimeUnit.DAYS) + " " + (old == LOCK) + " " + CONSTANT);
        Plain.value = 3;
        Plain.text = "text";
        call(Plain.class, "raddle$clear");
        System.out.println(Plain.value + " " + Plain.text);
        for (Class<?> type : new Class<?>[] {Anew.class, Plain.class, Colour.class, Names.class, Constants.class,
                Class.forName("Anew$1")}) {
            System.out.println(added(type));
        }
        System.out.println(Modifier.toString(Anew.class.getDeclaredField("CONSTANT").getModifiers()) + ", "
            + Modifier.toString(Anew.class.getDeclaredField("LOCK").getModifiers()));
    }
}
