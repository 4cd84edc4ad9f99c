/** One method for each kind of event. Compiles for old versions too, so that the old verifier can look at it. */
public class Rows {
    int i; long l; double d; Object o; boolean z; byte b; float f;
    volatile int v;
    final int fixed;
    static int si; static long sl; static double sd; static Object so;
    static final int[] CONSTANT = {1, 2, 3};
    static final Object LOCK = new Object();

    Rows(int fixed) {
        this.fixed = fixed;
        this.i = fixed;
    }

    Rows() {
        this(new Rows(7).fixed + new Rows(8).i);
        l = 1L << 40;
    }

    class Inner {
        final int sum;
        int kept;
        Inner(int extra) {
            super();
            kept = extra;
            sum = i + extra;
        }
    }

    static class Base {
        final Object given;
        Base(Object given) { this.given = given; hook(); }
        void hook() {}
    }

    static class Derived extends Base {
        int x = 5;
        int seen;
        Derived(Object o) { super(new Base(o)); x++; }
        void hook() { seen = x; }
    }

    Runnable local(final long captured, final String name) {
        return new Runnable() {
            long times;
            public void run() { times += captured; l += times; o = name; }
        };
    }

    static String fields() {
        Rows r = new Rows();
        r.i = 3; r.l = 5; r.d = 2.5; r.o = "text"; r.z = true; r.b = -1; r.f = 1.5f; r.v++;
        r.l += r.i++;
        r.d = r.d * r.l;
        long chained = r.l = sl = 17;
        return r.i + " " + r.l + " " + r.d + " " + r.o + " " + r.z + " " + r.b + " " + r.f + " " + r.v + " " + chained
            + " " + r.fixed;
    }

    static String statics() {
        si = 1; sl = 2; sd = 3; so = "s";
        si += 2; sl++; sd *= sl;
        return si + " " + sl + " " + sd + " " + so + " " + CONSTANT.length;
    }

    static String arrays() {
        int[] a = new int[4]; long[] b = new long[4]; float[] c = new float[4]; double[] e = new double[4];
        Object[] g = new Object[4]; byte[] h = new byte[4]; char[] m = new char[4]; short[] n = new short[4];
        boolean[] p = new boolean[4];
        for (int k = 0; k < 4; k++) {
            a[k] = k; b[k] = k * 3L; c[k] = k * 0.5f; e[k] = k * 0.25; g[k] = "" + k; h[k] = (byte) -k;
            m[k] = (char) ('a' + k); n[k] = (short) (k * 1000); p[k] = (k & 1) == 0;
        }
        a[1] += 10; b[2]++; e[3] -= b[2];
        long chained = b[0] = 99;
        int[][] nested = {{1, 2}, {3, 4}};
        nested[1][0] = nested[0][1] + a[1];
        int[] copy = a.clone();
        System.arraycopy(b, 1, b, 0, 2);
        return a[1] + " " + b[0] + " " + b[2] + " " + c[3] + " " + e[3] + " " + g[2] + " " + h[1] + " " + m[2] + " " + n[3]
            + p[1] + chained + nested[1][0] + copy[1];
    }

    static int thrower(int n) {
        if (n > 2) throw new IllegalStateException("n" + n);
        return n;
    }

    synchronized int locked(int n) { return thrower(n) + i; }
    synchronized long lockedWide(boolean early) { if (early) return 5L; l += 2; return l; }
    synchronized double lockedDouble() { return d; }
    synchronized float lockedFloat() { return f; }
    synchronized Object lockedObject() { return this; }
    synchronized void lockedEmpty() {}
    static synchronized int lockedStatic(int n) {
        try { return thrower(n); } catch (IllegalStateException e) { if (n > 3) throw e; return -1; } finally { si++; }
    }
    synchronized int lockedTwice() { return locked(1) + lockedStatic(2); }

    static String methods() {
        Rows r = new Rows(1);
        StringBuilder out = new StringBuilder();
        for (int n = 1; n < 5; n++) {
            try { out.append(r.locked(n)).append(' '); } catch (IllegalStateException e) { out.append(e.getMessage()); }
            try { out.append(lockedStatic(n)).append(' '); } catch (IllegalStateException e) { out.append(e.getMessage()); }
            out.append(Thread.holdsLock(r)).append(Thread.holdsLock(Rows.class)).append(' ');
        }
        r.lockedEmpty();
        out.append(r.lockedWide(true)).append(r.lockedWide(false)).append(r.lockedDouble()).append(r.lockedFloat())
            .append(r.lockedObject() == r).append(r.lockedTwice());
        return out.append(si).toString();
    }

    static int blocks(Object lock, int n) {
        int result = 0;
        synchronized (lock) {
            result++;
            synchronized (LOCK) {
                try {
                    if (n == 1) return result + 10;
                    result += thrower(n);
                } catch (IllegalStateException e) {
                    result += 100;
                    if (n == 4) throw e;
                } finally {
                    result += 1000;
                }
            }
        }
        return result;
    }

    static String monitors() {
        StringBuilder out = new StringBuilder();
        for (int n = 0; n < 5; n++) {
            try { out.append(blocks("lock", n)); } catch (IllegalStateException e) { out.append(e.getMessage()); }
            out.append(Thread.holdsLock("lock")).append(Thread.holdsLock(LOCK)).append(' ');
        }
        try { blocks(null, 0); } catch (NullPointerException e) { out.append("null"); }
        return out.toString();
    }

    static int switches(int seed) {
        int sum = 0;
        for (int k = seed; ; k++) {
            switch (k) {
                case 0: sum += 1; continue;
                case 1: sum += 10;
                case 2: sum += 100; break;
                case 3: continue;
                case 5: return sum;
                default: sum += 1000;
            }
            switch (k * 1000) {
                case -1000: sum += 10000; break;
                case 2000: sum += 100000; continue;
                case 4000: sum += 1000000;
                default: sum += 3;
            }
            switch ("k" + k) {
                case "k1": sum += 7; break;
                case "k4": sum += 9; break;
                default: sum += 11;
            }
        }
    }

    static int loops(int n) {
        int count = 0;
        int k = 0;
        do { count++; } while (++k < n);
        while (k > 0) { k--; count++; }
        for (Object p = LOCK; p != null; p = null) count++;
        return count;
    }

    static int finallys(int n) {
        int sum = 0;
        try {
            try { sum += thrower(n); }
            finally { sum += 10; si = sum; }
        } catch (IllegalStateException e) {
            sum += 100;
            try { thrower(n + 1); } catch (IllegalStateException f) { sum += 1000; } finally { sum += 10000; }
        }
        return sum;
    }

    static String constructors() {
        Rows r = new Rows();
        Inner inner = r.new Inner(4);
        Derived derived = new Derived("given");
        Runnable run = r.local(6, "name");
        run.run();
        run.run();
        return inner.sum + " " + inner.kept + " " + derived.x + " " + derived.seen + " " + r.l + r.o
            + ((Base) derived.given).given;
    }

    static String waiting() throws InterruptedException {
        final Rows r = new Rows(0);
        Thread thread = new Thread() {
            public void run() {
                synchronized (r) { r.i = 1; r.notifyAll(); r.notify(); }
                if (isAlive()) yield();
            }
        };
        synchronized (r) {
            thread.start();
            while (r.i == 0) r.wait();
            r.wait(1);
            r.wait(0, 1);
        }
        thread.join();
        StringBuilder out = new StringBuilder();
        try { r.wait(5); } catch (IllegalMonitorStateException e) { out.append("not owner "); }
        try { r.notify(); } catch (IllegalMonitorStateException e) { out.append("not owner "); }
        Thread.sleep(1);
        Thread.sleep(0, 1);
        Thread.yield();
        return out.append(thread.isAlive()).append(r.i).toString();
    }

    static boolean clocks() {
        long nanos = System.nanoTime(), millis = System.currentTimeMillis();
        double random = Math.random();
        return nanos <= System.nanoTime() && millis <= System.currentTimeMillis() && random >= 0 && random < 1;
    }

    public static void main(String[] args) throws Exception {
        System.out.println("fields " + fields());
        System.out.println("statics " + statics());
        System.out.println("arrays " + arrays());
        System.out.println("methods " + methods());
        System.out.println("monitors " + monitors());
        System.out.println("switches " + switches(-1) + " " + switches(2));
        System.out.println("loops " + loops(3));
        System.out.println("finallys " + finallys(1) + " " + finallys(2) + " " + finallys(3));
        System.out.println("constructors " + constructors());
        System.out.println("waiting " + waiting());
        System.out.println("clocks " + clocks());
    }
}
