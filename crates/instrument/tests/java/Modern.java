import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntSupplier;
import java.util.function.IntUnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Language features that need recent class files. */
public class Modern {
    int count;
    long wide;
    static int shared;
    static final VarHandle COUNT, WIDE, SHARED, ELEMENT, WIDE_ELEMENT;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            COUNT = lookup.findVarHandle(Modern.class, "count", int.class);
            WIDE = lookup.findVarHandle(Modern.class, "wide", long.class);
            SHARED = lookup.findStaticVarHandle(Modern.class, "shared", int.class);
            ELEMENT = MethodHandles.arrayElementVarHandle(String[].class);
            WIDE_ELEMENT = MethodHandles.arrayElementVarHandle(long[].class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    record Point(int x, long y) {
        static int made;
        Point { made++; if (x < 0) throw new IllegalArgumentException("x"); }
        double sum() { return x + y; }
    }

    enum Color {
        RED { int code() { return 1; } }, GREEN { int code() { return base + 2; } };
        static int base = 10;
        int used;
        abstract int code();
    }

    interface Shape {
        int sides();
        default int twice() { return helper() * 2; }
        private int helper() { synchronized (this) { return sides(); } }
        static Shape of(int n) { return () -> n; }
    }

    static class Failing {
        static int value = Integer.parseInt("no number");
    }

    class Counter implements AutoCloseable {
        final int step;
        Counter(int step) { this.step = step; }
        void go() { synchronized (Modern.this) { count += step; } }
        public void close() { wide = count; }
    }

    IntSupplier supplier(int by) {
        return () -> { synchronized (this) { return count += by; } };
    }

    static String handles() {
        Modern m = new Modern();
        String[] names = {"a", "b"};
        long[] longs = new long[3];
        COUNT.set(m, 5);
        boolean first = COUNT.compareAndSet(m, 5, 6);
        boolean second = COUNT.weakCompareAndSetPlain(m, 5, 7);
        int old = (int) COUNT.getAndAdd(m, 10);
        WIDE.setVolatile(m, 1L << 33);
        long wide = (long) WIDE.getAndBitwiseOr(m, 1L) + (long) WIDE.getAcquire(m);
        SHARED.setRelease(3);
        int shared = (int) SHARED.getAndSet(4) + (int) SHARED.get();
        String element = (String) ELEMENT.compareAndExchange(names, 1, "b", "c");
        WIDE_ELEMENT.setOpaque(longs, 2, 8L);
        long sum = (long) WIDE_ELEMENT.getVolatile(longs, 2);
        return first + " " + second + " " + old + " " + wide + " " + shared + " " + element + names[1] + sum + m.count;
    }

    static String kinds(Object o) {
        if (o instanceof Point p && p.x() > 1) return "point " + p.y();
        if (o instanceof String s) {
            return switch (s) { case "one" -> "1"; case "two" -> "2"; default -> { String r = s + shared; yield r; } };
        }
        return switch (Color.valueOf(o.toString())) { case RED -> "red"; case GREEN -> "green"; };
    }

    static String many() {
        List<Integer> seen = new ArrayList<>();
        IntUnaryOperator square = k -> { synchronized (seen) { seen.add(k); } return k * k; };
        String squares = IntStream.range(0, 5).map(square).boxed().map(String::valueOf).collect(Collectors.joining(","));
        return squares + seen;
    }

    public static void main(String[] args) throws Exception {
        Modern m = new Modern();
        IntSupplier supplier = m.supplier(3);
        System.out.println(supplier.getAsInt() + supplier.getAsInt());
        System.out.println(handles());
        Point p = new Point(2, 5);
        System.out.println(p + " " + p.sum() + " " + p.equals(new Point(2, 5)) + Point.made + p.hashCode());
        try { new Point(-1, 0); } catch (IllegalArgumentException e) { System.out.println(e.getMessage() + Point.made); }
        Color.GREEN.used++;
        for (Color c : Color.values()) System.out.println(c + " " + c.code() + c.used);
        System.out.println(Shape.of(4).twice());
        for (int k = 0; k < 2; k++) {
            try { System.out.println(Failing.value); } catch (LinkageError e) { System.out.println(e.getClass()); }
        }
        try (Counter c = m.new Counter(4)) { c.go(); c.go(); }
        System.out.println(m.count + " " + m.wide);
        System.out.println(kinds(p) + kinds("one") + kinds("three") + kinds(Color.GREEN));
        System.out.println(many());
        assert m.count > 0 : "unreachable";
    }
}
