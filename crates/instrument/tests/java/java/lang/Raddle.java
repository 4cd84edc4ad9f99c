package java.lang;

import jdk.internal.misc.Unsafe;

/**
 * Hooks that count. They do what the calls they replace would have done. No static initializer: the first classes
 * that call this are initialized before anything else works.
 */
public final class Raddle {
    /** Whether to count. Off while the JVM starts. */
    public static volatile boolean on;
    /** Calls of zoneEnter less those of zoneExit since `on`. */
    public static int zone;
    public static long zones;
    /** A line for each class that told that it is initialised, or is about to be; null if none has. */
    private static String initialised;

    private static final int SIZE = 1 << 16;
    private static int[] sites;
    private static long[] counts;
    private static long[] sums;
    private static String[] hooks;
    private static Class<?>[] classes;

    private static synchronized void count(String hook, Object object, long number, int site) {
        if (sites == null) {
            sites = new int[SIZE];
            counts = new long[SIZE];
            sums = new long[SIZE];
            hooks = new String[SIZE];
            classes = new Class<?>[SIZE];
        }
        int at = (site * 0x9e3779b9 >>> 16) & (SIZE - 1);
        while (sites[at] != 0 && (sites[at] != site || hooks[at] != hook)) {
            at = at + 1 & (SIZE - 1);
        }
        sites[at] = site;
        hooks[at] = hook;
        counts[at]++;
        sums[at] += number;
        if (object != null) {
            classes[at] = object.getClass();
        }
    }

    /** One line per hook and site: hook, site, how often, sum of the numbers, class of the object. */
    public static String report() {
        on = false;
        StringBuilder out = new StringBuilder();
        for (int at = 0; sites != null && at < SIZE; at++) {
            if (sites[at] != 0) {
                out.append("hook ").append(hooks[at]).append(' ').append(sites[at]).append(' ').append(counts[at])
                    .append(' ').append(sums[at]).append(' ')
                    .append(classes[at] == null ? "null" : classes[at].getName()).append('\n');
            }
        }
        return out.append(initialised == null ? "" : initialised).append("zones ").append(zones).append(' ').append(zone).append('\n').toString();
    }

    public static void read(Object o, int site) { if (on) count("read", o, 0, site); }
    public static void write(Object o, int site) { if (on) count("write", o, 0, site); }
    public static void called(Object o, int site) { if (on) count("called", o, 0, site); }
    public static void asked(Object o, int site) { if (on) count("asked", o, 0, site); }
    public static void calledStatic(int site) { if (on) count("calledStatic", null, 0, site); }
    public static void askedStatic(int site) { if (on) count("askedStatic", null, 0, site); }
    public static void passed(Object o, int site) { if (on) count("passed", o, 0, site); }
    public static void filled(Object o, int site) { if (on) count("filled", o, 0, site); }
    public static long chance(int site) { if (on) count("chance", null, 0, site); return System.nanoTime(); }
    public static boolean entropy(byte[] bytes, int site) { if (on) count("entropy", null, 0, site); return false; }
    public static void reflected(Object o, int site) { if (on) count("reflected", o, 0, site); }
    public static void inspected(Object o, int site) { if (on) count("inspected", o, 0, site); }
    public static void readStatic(int site) { if (on) count("readStatic", null, 0, site); }
    public static void writeStatic(int site) { if (on) count("writeStatic", null, 0, site); }
    public static void readElement(Object o, int index, int site) { if (on) count("readElement", o, index, site); }
    public static void writeElement(Object o, int index, int site) { if (on) count("writeElement", o, index, site); }
    public static void atomic(Object o, long offset, int site) { if (on) count("atomic", o, offset, site); }
    public static void enter(Object o, int site) {
        if (on) count("enter", o, 0, site);
        if (on && o != null && Thread.holdsLock(o)) count("nested-enter", o, 0, site);
    }
    public static void exit(Object o, int site) {
        if (on) count("exit", o, 0, site);
        if (on && Thread.holdsLock(o)) count("nested-exit", o, 0, site);
    }
    public static void waitOn(Object o, int site) throws InterruptedException {
        if (on) count("waitOn", o, 0, site);
        o.wait();
    }
    public static void waitOn(Object o, long millis, int site) throws InterruptedException {
        if (on) count("waitOn", o, millis, site);
        o.wait(millis);
    }
    public static void waitOn(Object o, long millis, int nanos, int site) throws InterruptedException {
        if (on) count("waitOn", o, millis * 1000 + nanos, site);
        o.wait(millis, nanos);
    }
    public static void notifyOne(Object o, int site) {
        if (on) count("notifyOne", o, 0, site);
        o.notify();
    }
    public static void notifyAll(Object o, int site) {
        if (on) count("notifyAll", o, 0, site);
        o.notifyAll();
    }
    public static void park(Object unsafe, boolean absolute, long time, int site) {
        if (on) count("park", unsafe, 0, site);
        ((Unsafe) unsafe).park(absolute, time);
    }
    public static void unpark(Object unsafe, Object thread, int site) {
        if (on) count("unpark", thread, 0, site);
        ((Unsafe) unsafe).unpark(thread);
    }
    public static void sleep(long millis, int site) throws InterruptedException {
        if (on) count("sleep", null, millis, site);
        Thread.sleep(millis);
    }
    public static void sleep(long millis, int nanos, int site) throws InterruptedException {
        if (on) count("sleep", null, millis * 1000 + nanos, site);
        Thread.sleep(millis, nanos);
    }
    public static void yield(int site) {
        if (on) count("yield", null, 0, site);
        Thread.yield();
    }
    public static boolean isAlive(Thread thread, int site) {
        if (on) count("isAlive", thread, 0, site);
        return thread.isAlive();
    }
    public static long nanoTime(int site) {
        if (on) count("nanoTime", null, 0, site);
        return System.nanoTime();
    }
    public static long currentTimeMillis(int site) {
        if (on) count("currentTimeMillis", null, 0, site);
        return System.currentTimeMillis();
    }
    public static long salt(int site) { return 5; }
    public static void arraycopy(Object from, int start, Object to, int at, int length, int site) {
        if (on) count("arraycopy", from, start * 10000L + at * 100L + length, site);
        System.arraycopy(from, start, to, at, length);
    }
    public static double random(int site) {
        if (on) count("random", null, 0, site);
        return 0.25;
    }
    public static void loop(int site) { if (on) count("loop", null, 0, site); }
    public static void starting(Thread thread, int site) { if (on) count("starting", thread, 0, site); }
    public static void began(Thread thread, int site) { if (on) count("began", thread, 0, site); }
    /** The last method of a thread is a zone that ends with this. */
    public static void ended() { zoneExit(); }
    public static boolean uncaught(Thread thread, Throwable thrown, int site) {
        if (on) count("uncaught", thread, 0, site);
        return false;
    }
    public static boolean join(Thread thread, long millis, int site) {
        if (on) count("join", thread, millis, site);
        return thread.getName().equals("not joined");
    }
    public static void interrupting(Thread thread, int site) { if (on) count("interrupting", thread, 0, site); }
    public static void exiting(int code, int site) {
        if (on) {
            count("exiting", null, code, site);
            throw new Error("exit " + code);
        }
    }
    public static long seed(int site) {
        if (on) count("seed", null, 0, site);
        return 42;
    }
    public static void initialised(Class<?> type) { if (on) tell("initialised " + type.getName()); }
    public static void touched(Class<?> type, String member, int site) {
        if (on) tell("initialised by use " + type.getName() + "." + member);
    }
    public static void entered(Class<?> type, int site) { if (on) tell("initialised in " + type.getName()); }
    private static void tell(String line) { initialised = (initialised == null ? "" : initialised) + line + "\n"; }
    public static synchronized void zoneEnter() { if (on) { zone++; zones++; } }
    public static synchronized void zoneExit() { if (on) zone--; }
}
