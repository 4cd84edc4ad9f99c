import java.lang.reflect.Method;
import java.util.function.IntSupplier;

/** Classes that are initialised when somebody says so, and tell whenever they are used. */
public class Deferred {
    static class First {
        static int value = Second.make().number;
        static final String NAME = "first";

        static int value() {
            return value;
        }
    }

    static class Second {
        static int made;
        final int number;

        Second(int number) {
            this.number = number;
            made++;
        }

        static synchronized Second make() {
            return new Second(7);
        }
    }

    /** Nothing to initialise. */
    static class Third extends First {
    }

    static void initialise(Class<?> type) throws Exception {
        Method method = type.getDeclaredMethod("raddle$initialise");
        method.setAccessible(true);
        method.invoke(null);
    }

    public static void main(String[] args) throws Exception {
        System.out.println(First.value + " " + First.NAME);
        initialise(First.class);
        System.out.println(First.value());
        new Third();
        System.out.println(Third.value);
        Second.made = 5;
        IntSupplier later = First::value;
        System.out.println(later.getAsInt() + Second.made);
    }
}
