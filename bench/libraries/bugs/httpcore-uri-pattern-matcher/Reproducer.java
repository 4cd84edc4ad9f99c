// org.apache.hc.core5.http.protocol.UriPatternOrderedMatcher throws when two threads use it: java.util.ConcurrentModificationException, in thread 2 from a.toString().
//
// The recorded run, from top to bottom. Lines that only one thread could notice are left out.
//
// thread 1                                                  thread 2
// --------------------------------------------------------  --------------------------------------------------------
// call a.register("", "")
// write LinkedHashMap#1.head = jav~ LinkedHashMap.java:227
//
//                                                           call a.toString()
//                                                           read LinkedHashMap#1.head = java~ LinkedHashMap.java:744
//
// read LinkedHashMap#1.head = java~ LinkedHashMap.java:300
//
//   prefix    a = new UriPatternOrderedMatcher()  returned a
//   thread 1  a.register("", "")                  returned
//   thread 2  a.toString()                        threw java.util.ConcurrentModificationException
//
// To run it, with a JDK 17 or later and the class path of the recorded run:
//
//     java -cp CLASSPATH Reproducer.java
//
// Exit code: 0 if the violation occurs, 1 if it does not, 2 if it could not be tried.
//
// The test runs in a second JVM, whose threads are held at a few places through the JDK's debugger interface (module
// jdk.jdi), so that they meet as recorded. The classes run as they are. Places are code indices of the recorded classes.
// In other classes, such as changed ones or those of another JDK, that may show nothing. Then other schedules, with one
// switch between threads, are tried for a while.

import com.sun.jdi.Bootstrap;
import com.sun.jdi.ClassNotLoadedException;
import com.sun.jdi.ClassType;
import com.sun.jdi.IncompatibleThreadStateException;
import com.sun.jdi.IntegerValue;
import com.sun.jdi.InvalidTypeException;
import com.sun.jdi.Location;
import com.sun.jdi.Method;
import com.sun.jdi.ObjectReference;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.StackFrame;
import com.sun.jdi.ThreadReference;
import com.sun.jdi.VMDisconnectedException;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.Connector;
import com.sun.jdi.connect.ListeningConnector;
import com.sun.jdi.event.BreakpointEvent;
import com.sun.jdi.event.ClassPrepareEvent;
import com.sun.jdi.event.Event;
import com.sun.jdi.event.EventSet;
import com.sun.jdi.event.StepEvent;
import com.sun.jdi.event.ThreadDeathEvent;
import com.sun.jdi.request.BreakpointRequest;
import com.sun.jdi.request.ClassPrepareRequest;
import com.sun.jdi.request.EventRequest;
import com.sun.jdi.request.EventRequestManager;
import com.sun.jdi.request.StepRequest;
import com.sun.jdi.request.ThreadDeathRequest;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hc.core5.http.protocol.UriPatternOrderedMatcher;

public final class Reproducer {
    public static void main(String[] arguments) {
        int code = 2;
        try {
            code = Debugger.occurs() ? 0 : 1;
            System.out.println(code == 0 ? "RESULT: the violation occurred." : "RESULT: the violation did not occur.");
        } catch (Exception problem) {
            problem.printStackTrace();
            System.out.println("RESULT: failed, which says nothing about the class.");
        }
        System.exit(code);
    }

    /** The test itself. It runs in a JVM of its own, whose exit code is the verdict. */
    @SuppressWarnings({"cast", "deprecation", "rawtypes", "removal", "unchecked"})
    static final class Scenario {
        /** Exit codes that nothing else has. */
        static final int SEEN = 80;
        static final int NOT_SEEN = 81;
        static final int FAILED = 82;

        /** Threads that do not go on for so long are stuck; longer than the other time, nothing is waited for. */
        private static final long STUCK_SECONDS = 3;
        private static final long SECONDS = 30;
        /** Calls that are made one after the other wait so many looks for each other. */
        private static final int IDLE_LOOKS = 50;
        private static final String NO_END = "did not end";
        static final String SUBJECT = "org.apache.hc.core5.http.protocol.UriPatternOrderedMatcher";
        static final String[] CLASSES = {"java.util.HashMap", "java.util.LinkedHashMap$LinkedHashIterator", "org.apache.hc.core5.http.protocol.UriPatternOrderedMatcher"};
        /** The calls that show the violation, and the orders in which calls can be made one after the other. */
        private static final int[] DECISIVE = {2};
        private static final int[][] ORDERS = {{1, 2}, {2, 1}};
        static final boolean HAS_CONTROL = true;
        static final int DECISIVE_COUNT = 1;
        static final int ORDER_COUNT = 2;
        private static final String[] CALLS = {
            "prefix: a = new UriPatternOrderedMatcher()",
            "thread 1: a.register(\"\", \"\")",
            "thread 2: a.toString()",
        };
        private static final Object VOID = new Object();
        private static final Object UNFINISHED = new Object();
        private static final Object[] returned = new Object[CALLS.length];
        private static final Throwable[] thrown = new Throwable[CALLS.length];

        public static void main(String[] arguments) {
            int code = FAILED;
            try {
                if (arguments.length > 1) {
                    control(arguments);
                    code = NOT_SEEN;
                } else {
                    load();
                    Thread[] threads = test();
                    show(threads);
                    write(arguments[0], java.util.Arrays.asList(decisiveOutcomes()));
                    code = isSeen(threads) ? SEEN : NOT_SEEN;
                }
            } catch (Throwable problem) {
                problem.printStackTrace();
            }
            System.out.flush();
            Runtime.getRuntime().halt(code);
        }

        private static Thread[] test() throws Throwable {
            java.util.Arrays.fill(returned, UNFINISHED);
            UriPatternOrderedMatcher a = new UriPatternOrderedMatcher();
            returned[0] = a;
            Thread[] threads = {
                new Thread(() -> {
                }, "after"),
                new Thread(() -> {
                    begins(1);
                    try {
                        a.register("", (Object) "");
                        returned[1] = VOID;
                    } catch (Throwable problem) {
                        thrown[1] = problem;
                    }
                    ends();
                }, "thread 1"),
                new Thread(() -> {
                    begins(2);
                    try {
                        returned[2] = a.toString();
                    } catch (Throwable problem) {
                        thrown[2] = problem;
                    }
                    ends();
                }, "thread 2"),
            };
            if (end(java.util.Arrays.copyOfRange(threads, 1, threads.length))) {
                end(threads[0]);
            }
            return threads;
        }

        /** What calls came to in the recorded run; null for those that do not matter. */
        private static final String[] RECORDED = {
            null,
            null,
            "threw java.util.ConcurrentModificationException",
        };

        /** Whether the calls came to the same as in the recorded run. */
        private static boolean isSeen(Thread[] threads) {
            for (int call = 0; call < CALLS.length; call++) {
                if (RECORDED[call] != null && !RECORDED[call].equals(outcome(call))) {
                    return false;
                }
            }
            return true;
        }

        /** The debugger holds threads here. Without it, they wait for their turn if there is an order. */
        private static void begins(int call) {
            if (order == null) {
                return;
            }
            synchronized (GATE) {
                leaveCall();
                IS_AT_GATE[call] = true;
                boolean isInterrupted = false;
                while (open != call) {
                    try {
                        GATE.wait();
                    } catch (InterruptedException early) {
                        isInterrupted = true;
                    }
                }
                open = -1;
                HAS_BEGUN[call] = true;
                UNDER_WAY.add(Thread.currentThread());
                if (isInterrupted) {
                    Thread.currentThread().interrupt();
                }
            }
        }

        /** Called when a thread has made its last call. */
        private static void ends() {
            synchronized (GATE) {
                leaveCall();
            }
        }

        /** The order in which calls are made one after the other; null if there is none. */
        private static int[] order;
        private static final Object GATE = new Object();
        private static final boolean[] IS_AT_GATE = new boolean[CALLS.length];
        private static final boolean[] HAS_BEGUN = new boolean[CALLS.length];
        /** Threads whose calls are under way: one of them runs, and the others wait for it. */
        private static final java.util.Set<Thread> UNDER_WAY = new java.util.HashSet<>();
        /** The call that may begin. */
        private static int open = -1;

        /** Lets the next call begin, unless there is a call that this one may have woken: that goes on first. */
        private static void leaveCall() {
            if (order != null && UNDER_WAY.remove(Thread.currentThread()) && UNDER_WAY.isEmpty()) {
                openGate(false);
            }
        }

        /** Lets the next call begin; if threads are stuck, the next that can. */
        private static void openGate(boolean isStuck) {
            for (int call : order) {
                if (!HAS_BEGUN[call] && (!isStuck || IS_AT_GATE[call])) {
                    open = call;
                    GATE.notifyAll();
                    return;
                }
            }
        }

        /** Set by the debugger when it holds threads no more. */
        private static volatile boolean isReleased;

        /** So that places in them are known; what a class has to do once is done now. */
        private static void load() {
            for (String name : CLASSES) {
                try {
                    Class.forName(name);
                } catch (ClassNotFoundException | LinkageError problem) {
                    System.out.println("  not found: " + name);
                }
            }
        }

        /** Whether these threads come to their ends: they do not if none of them can go on, or if time is up. */
        private static boolean end(Thread... threads) throws InterruptedException {
            for (Thread thread : threads) {
                thread.setDaemon(true);
                thread.start();
            }
            long begun = System.nanoTime();
            long held = begun;
            long running = begun;
            int idle = 0;
            // Calls one after the other are not held by anybody, so that what does not go on at once does not go on at all.
            long patience = (order == null ? STUCK_SECONDS : 1) * 1_000_000_000L;
            while (true) {
                long now = System.nanoTime();
                boolean isAlive = false;
                boolean canGoOn = false;
                for (Thread thread : threads) {
                    Thread.State state = thread.getState();
                    isAlive |= state != Thread.State.TERMINATED;
                    canGoOn |= state == Thread.State.RUNNABLE || state == Thread.State.TIMED_WAITING;
                }
                if (!isAlive) {
                    return true;
                }
                if (!isReleased) {
                    held = now;
                }
                if (!isReleased || canGoOn) {
                    running = now;
                }
                idle = canGoOn ? 0 : idle + 1;
                if (order != null && idle == IDLE_LOOKS) {
                    idle = 0;
                    synchronized (GATE) {
                        openGate(true);
                    }
                }
                if (isReleased && isDeadlock() || now - running > patience
                        || now - held > SECONDS * 1_000_000_000L) {
                    return false;
                }
                // No debugger takes an hour.
                if (now - begun > 3_600_000_000_000L) {
                    throw new IllegalStateException("the debugger has gone");
                }
                Thread.sleep(order == null ? 10 : 2);
            }
        }

        private static boolean isDeadlock() {
            return java.lang.management.ManagementFactory.getThreadMXBean().findDeadlockedThreads() != null;
        }

        /** What the calls come to that matter: of this run, or of all their orders, made one after the other. */
        private static void control(String[] arguments) throws Throwable {
            java.util.List<String> lines = new java.util.ArrayList<>();
            int rounds = arguments.length == 2 ? 2 : 1;
            boolean isWhole = true;
            for (int run = 0; isWhole && run < rounds * ORDERS.length; run++) {
                // There and back, so that what an order leaves behind is not the same to the next one both times.
                int number = run < ORDERS.length ? run : 2 * ORDERS.length - 1 - run;
                if (arguments.length == 2 || Integer.parseInt(arguments[2]) == number) {
                    String[] outcomes = inFreshClasses(ORDERS[number]);
                    lines.add(String.valueOf(number));
                    lines.addAll(java.util.Arrays.asList(outcomes));
                    // Threads that are left behind may get in the way of the next order.
                    isWhole = !java.util.Arrays.asList(outcomes).contains(NO_END) || arguments.length > 2;
                }
            }
            if (isWhole) {
                lines.add("end");
            }
            write(arguments[0], lines);
        }

        private static void write(String file, java.util.List<String> lines) throws java.io.IOException {
            java.nio.file.Files.write(java.nio.file.Path.of(file), lines);
        }

        /** With classes that are loaded anew, so that their static state is that of the beginning. */
        private static String[] inFreshClasses(int[] calls) throws Throwable {
            java.util.List<java.net.URL> path = new java.util.ArrayList<>();
            for (String entry : System.getProperty("java.class.path").split(java.io.File.pathSeparator)) {
                path.add(java.nio.file.Path.of(entry).toUri().toURL());
            }
            ClassLoader loader = new java.net.URLClassLoader(path.toArray(new java.net.URL[0]),
                    ClassLoader.getPlatformClassLoader());
            Thread.currentThread().setContextClassLoader(loader);
            java.lang.reflect.Method method = Class.forName(Scenario.class.getName(), true, loader)
                    .getDeclaredMethod("inOrder", int[].class);
            method.setAccessible(true);
            return (String[]) method.invoke(null, (Object) calls);
        }

        /** Makes the calls one after the other; one that waits for another lets it begin. */
        static String[] inOrder(int[] calls) throws Throwable {
            order = calls;
            isReleased = true;
            synchronized (GATE) {
                openGate(false);
            }
            load();
            test();
            return decisiveOutcomes();
        }

        private static String[] decisiveOutcomes() {
            String[] outcomes = new String[DECISIVE.length];
            for (int at = 0; at < outcomes.length; at++) {
                outcomes[at] = outcome(DECISIVE[at]);
            }
            return outcomes;
        }

        /** Prints what came of the calls, and where threads are that have not ended. */
        private static void show(Thread[] threads) {
            for (int call = 0; call < CALLS.length; call++) {
                System.out.println("  " + CALLS[call] + " " + outcome(call));
            }
            for (Thread thread : threads) {
                if (thread.isAlive()) {
                    System.out.println("  " + thread.getName() + " is " + thread.getState());
                    for (StackTraceElement frame : thread.getStackTrace()) {
                        System.out.println("      at " + frame);
                    }
                }
            }
        }

        private static String outcome(int call) {
            if (thrown[call] != null) {
                return "threw " + thrown[call].getClass().getName();
            }
            if (returned[call] == UNFINISHED) {
                return NO_END;
            }
            return returned[call] == VOID ? "returned" : "returned " + result(call);
        }

        private static String result(int call) {
            return text(returned[call]);
        }

        /** Does not ask objects: a stuck thread may hold their locks. */
        private static String text(Object value) {
            if (value instanceof String) {
                return quoted((String) value);
            }
            if (value instanceof Character) {
                return "'" + value + "'";
            }
            boolean isPlain = value == null || value instanceof Boolean || value instanceof Byte
                    || value instanceof Short || value instanceof Integer || value instanceof Long
                    || value instanceof Float || value instanceof Double;
            return isPlain ? String.valueOf(value) : "a " + value.getClass().getName();
        }

        private static String quoted(String text) {
            StringBuilder quoted = new StringBuilder("\"");
            int length = Math.min(text.length(), 200);
            for (int index = 0; index < length; index++) {
                char unit = text.charAt(index);
                if (unit == '"' || unit == '\\') {
                    quoted.append('\\').append(unit);
                } else if (unit < ' ' || unit >= 0x7f) {
                    quoted.append(String.format("\\%c%04x", 'u', (int) unit));
                } else {
                    quoted.append(unit);
                }
            }
            quoted.append('"');
            return length == text.length() ? quoted.toString()
                    : quoted + "\u2026 " + text.length() + " chars #" + text.hashCode();
        }
    }

    /**
     * Runs the test in a JVM of its own and holds its threads through the JDK's debugger interface, so that they take turns
     * as recorded.
     */
    private static final class Debugger {
        private static final int THREADS = 2;

        /** One thread at a time runs until it is where it should be. After that, all run freely. */
        private static final Step[] SCHEDULE = {
            // Thread 1 is about to write: HashMap.putVal (HashMap.java:659).
            at(1, "java.util.HashMap", "putVal", "(ILjava/lang/Object;Ljava/lang/Object;ZZ)Ljava/lang/Object;", 266, 1),
            // Thread 2 is about to read: LinkedHashMap$LinkedHashIterator.nextNode (LinkedHashMap.java:755).
            at(2, "java.util.LinkedHashMap$LinkedHashIterator", "nextNode", "()Ljava/util/LinkedHashMap$Entry;", 9, 1),
            end(1),
        };

        private static final int ATTEMPTS = 2;
        /** Whether other schedules are tried even if this one was followed. */
        private static final boolean SEARCHES_ALWAYS = true;
        /** How long a thread may take to get where it should be, and all of them together. */
        private static final long STEP_SECONDS = 10;
        private static final long FOLLOW_SECONDS = 60;
        /** How long the test may take to begin, and to come to an end when nothing is held. */
        private static final long TEST_SECONDS = 60;
        /** How long other schedules are tried if the recorded one shows nothing. */
        private static final long SEARCH_SECONDS = 10;
        /** How often threads are looked at, and for how many looks in a row a thread may be blocked. */
        private static final long LOOK_MILLIS = 20;
        private static final int BLOCKED_LOOKS = 50;
        private static final int WAITING_LOOKS = 5;
        private static final int OWNER_LOOKS = 3;
        private static final String BLOCKED = "it is blocked";
        /** More than anybody reads. */
        private static final int MOST_LINES = 1_000;
        /** What the JVM does in between: it is not the test that comes to a place in one of these. */
        private static final Set<String> LOADING = Set.of("<clinit>", "loadClass", "linkCallSite", "linkDynamicConstant",
                "linkMethod", "linkMethodHandleConstant", "findMethodHandleType");
        /** The JDK is looked into only where the test is about it. */
        private static final List<String> PLATFORM = List.of("java.", "javax.", "jdk.", "sun.", "com.sun.");

        private static final StringBuilder story = new StringBuilder();

        /** Where a thread is to be held. */
        private enum Stop { CALL, AT, AFTER, WAITING, END }

        /** Lets one thread run, and no other, until it is where it should be. */
        private record Step(int thread, Stop stop, String type, String method, String descriptor, long index, int times) {
            @Override
            public String toString() {
                String where = type + "." + method + descriptor + ", code index " + index;
                return switch (stop) {
                    case CALL -> "before call " + index;
                    case AT -> "at " + where;
                    case AFTER -> "right after " + where;
                    case WAITING -> "waiting";
                    case END -> "at its end";
                };
            }
        }

        /** Until the thread begins a call; calls are numbered as in {@link Scenario}. */
        private static Step call(int thread, int call) {
            return new Step(thread, Stop.CALL, null, null, null, call, 0);
        }

        /** Until the thread has come so many times to an instruction, which it does not execute yet. */
        private static Step at(int thread, String type, String method, String descriptor, long index, int times) {
            return new Step(thread, Stop.AT, type, method, descriptor, index, times);
        }

        /** The same, but the instruction is executed; with 0 times it is the one where the thread is already. */
        private static Step after(int thread, String type, String method, String descriptor, long index, int times) {
            return new Step(thread, Stop.AFTER, type, method, descriptor, index, times);
        }

        /** Until the thread waits in {@code Object.wait}. */
        private static Step waiting(int thread) {
            return new Step(thread, Stop.WAITING, null, null, null, 0, 0);
        }

        /** Until the thread has ended. */
        private static Step end(int thread) {
            return new Step(thread, Stop.END, null, null, null, 0, 0);
        }

        /** What happens to the threads of the test before they are let go; whether it was what was wanted. */
        private interface Control {
            boolean hold(Debugger debugger) throws Exception;
        }

        /** What came of the test once, of the calls that matter in it, and what it printed. */
        private record Attempt(boolean isSeen, boolean isHeld, List<String> outcomes, List<String> lines) {
        }

        /** Whether the violation occurs. An exception says that it could not be tried. */
        static boolean occurs() throws Exception {
            Path classes = Files.createTempDirectory("scenario");
            try {
                copy(classes);
                boolean isHeld = true;
                for (int number = 1; isHeld && number <= ATTEMPTS; number++) {
                    say("Attempt " + number + ":");
                    Attempt attempt = attempt(classes, Debugger::follow);
                    attempt.lines().forEach(Debugger::say);
                    if (attempt.isSeen() && isUnexplained(attempt, classes)) {
                        return true;
                    }
                    isHeld = attempt.isHeld();
                }
                return (SEARCHES_ALWAYS || !isHeld) && !isUndecided && search(classes);
            } finally {
                try (Stream<Path> files = Files.list(classes)) {
                    for (Path file : files.toList()) {
                        Files.delete(file);
                    }
                }
                Files.delete(classes);
            }
        }

        /** What happened, for people. */
        static String story() {
            return story.toString();
        }

        private static void say(String line) {
            System.out.println(line);
            story.append(line).append('\n');
        }

        /**
         * The code may not be the recorded one, and be wrong all the same. So one thread is stopped at every place where others
         * could notice, one place after the other, and the others run meanwhile.
         */
        private static boolean search(Path classes) throws Exception {
            say("Other schedules with one switch:");
            long end = System.nanoTime() + SEARCH_SECONDS * 1_000_000_000L;
            Set<Integer> left = new TreeSet<>();
            for (int thread = 1; thread <= THREADS; thread++) {
                left.add(thread);
            }
            for (int place = 1; !left.isEmpty(); place++) {
                for (int thread : List.copyOf(left)) {
                    if (isUndecided) {
                        return false;
                    }
                    if (System.nanoTime() > end) {
                        say("  there was no time to try them all");
                        return false;
                    }
                    int number = place;
                    Attempt attempt = attempt(classes, debugger -> debugger.preempt(thread, number));
                    if (attempt.isSeen() && isUnexplained(attempt, classes)) {
                        say("  thread " + thread + " was stopped at place " + number);
                        attempt.lines().forEach(Debugger::say);
                        return true;
                    }
                    if (!attempt.isHeld()) {
                        left.remove(thread);
                    }
                }
            }
            say("  all were tried");
            return false;
        }

        /** What calls come to in their orders, one after the other, once that is known. */
        private static Set<List<String>> control;
        private static boolean isUndecided;

        /**
         * Whether the calls came to what they come to in no order, on this very JVM. If they do not always come to the same there,
         * nothing can be said.
         */
        private static boolean isUnexplained(Attempt attempt, Path classes) throws Exception {
            if (!Scenario.HAS_CONTROL) {
                return true;
            }
            if (control == null) {
                Map<Integer, Set<List<String>>> orders = new HashMap<>();
                boolean isWhole = sequential(classes, orders);
                if (!isWhole || !isStable(orders)) {
                    // Something outlives an order, so each gets a JVM of its own, and another.
                    orders.clear();
                    for (int order = 0; order < 2 * Scenario.ORDER_COUNT; order++) {
                        sequential(classes, orders, String.valueOf(order / 2));
                    }
                }
                if (!isStable(orders)) {
                    say("  the calls made one after the other do not always come to the same, so nothing can be said");
                    isUndecided = true;
                }
                control = new HashSet<>();
                orders.values().forEach(control::addAll);
                say("Control: " + orders.size() + " orders of the calls, one after the other, come to");
                control.forEach(outcomes -> say("  " + outcomes));
            }
            if (isUndecided) {
                return false;
            }
            if (control.contains(attempt.outcomes())) {
                say("  the calls made one after the other come to the same, so this is no violation");
                return false;
            }
            return true;
        }

        /** Whether every order was run, and came to the same each time. */
        private static boolean isStable(Map<Integer, Set<List<String>>> orders) {
            return orders.size() == Scenario.ORDER_COUNT && orders.values().stream().allMatch(runs -> runs.size() == 1);
        }

        /** Makes the calls one after the other, in all orders or in one. Whether none of them got stuck. */
        private static boolean sequential(Path classes, Map<Integer, Set<List<String>>> orders, String... only)
                throws Exception {
            Path file = classes.resolve("control");
            Files.deleteIfExists(file);
            List<String> command = command(classes, List.of(), file);
            command.add("control");
            command.addAll(List.of(only));
            Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
            try {
                Thread reader = new Thread(() -> read(process.getInputStream(), new ArrayList<>()));
                reader.setDaemon(true);
                reader.start();
                if (!process.waitFor(TEST_SECONDS, TimeUnit.SECONDS) || !Files.exists(file)) {
                    throw new IllegalStateException("the calls cannot be made one after the other");
                }
            } finally {
                process.destroyForcibly();
            }
            // The number of an order, what its calls came to, and so on.
            List<String> lines = Files.readAllLines(file);
            int width = 1 + Scenario.DECISIVE_COUNT;
            for (int at = 0; at + width <= lines.size(); at += width) {
                orders.computeIfAbsent(Integer.valueOf(lines.get(at)), any -> new HashSet<>())
                        .add(lines.subList(at + 1, at + width));
            }
            return lines.size() % width == 1;
        }

        /** Makes class files for the other JVM: this file may have been compiled in memory only. */
        private static void copy(Path folder) throws IOException {
            String name = Scenario.class.getName();
            if (!copy(name + ".class", folder)) {
                throw new IOException("there is no class file of " + name);
            }
            // Objects of the test may have classes of their own.
            int number = 1;
            while (copy(name + "$" + number + ".class", folder)) {
                number++;
            }
        }

        private static boolean copy(String file, Path folder) throws IOException {
            try (InputStream bytes = Scenario.class.getResourceAsStream(file)) {
                if (bytes == null) {
                    return false;
                }
                Files.copy(bytes, folder.resolve(file));
                return true;
            }
        }

        /** Starts a JVM with the test, and holds its threads as the control says. The verdict is its exit code. */
        private static Attempt attempt(Path classes, Control control) throws Exception {
            ListeningConnector connector = Bootstrap.virtualMachineManager().listeningConnectors().stream()
                    .filter(candidate -> candidate.name().equals("com.sun.jdi.SocketListen"))
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException("this JDK has no debugger interface"));
            Map<String, Connector.Argument> arguments = connector.defaultArguments();
            arguments.get("localAddress").setValue("127.0.0.1");
            arguments.get("port").setValue("0");
            arguments.get("timeout").setValue("30000");
            String address = connector.startListening(arguments);
            Path file = classes.resolve("outcomes");
            Files.deleteIfExists(file);
            List<String> debugged = List.of("-agentlib:jdwp=transport=dt_socket,server=n,suspend=y,address=" + address);
            Process process = new ProcessBuilder(command(classes, debugged, file)).redirectErrorStream(true).start();
            List<String> lines = Collections.synchronizedList(new ArrayList<>());
            Thread reader = new Thread(() -> read(process.getInputStream(), lines));
            reader.setDaemon(true);
            reader.start();
            try {
                VirtualMachine vm = connector.accept(arguments);
                connector.stopListening(arguments);
                boolean isHeld = false;
                try {
                    Debugger debugger = new Debugger(vm);
                    debugger.gather();
                    isHeld = control.hold(debugger);
                    debugger.release();
                } catch (VMDisconnectedException ended) {
                    // The test is over: it has its verdict already.
                }
                if (!process.waitFor(TEST_SECONDS, TimeUnit.SECONDS)) {
                    throw new IllegalStateException("the JVM with the test does not end");
                }
                reader.join(1_000);
                int code = process.exitValue();
                if (code != Scenario.SEEN && code != Scenario.NOT_SEEN) {
                    List.copyOf(lines).forEach(Debugger::say);
                    throw new IllegalStateException("the JVM with the test ended with exit code " + code);
                }
                List<String> outcomes = Files.exists(file) ? Files.readAllLines(file) : List.of();
                return new Attempt(code == Scenario.SEEN, isHeld, outcomes, List.copyOf(lines));
            } finally {
                process.destroyForcibly();
            }
        }

        private static List<String> command(Path classes, List<String> more, Path file) {
            List<String> command = new ArrayList<>();
            command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
            command.addAll(options());
            command.addAll(more);
            command.addAll(List.of("-cp", classPath(classes), Scenario.class.getName(), file.toString()));
            return command;
        }

        /** Takes what the test prints: it must not wait for that. */
        private static void read(InputStream output, List<String> lines) {
            try (BufferedReader reader = new BufferedReader(new InputStreamReader(output))) {
                reader.lines().forEach(line -> {
                    if (lines.size() < MOST_LINES) {
                        lines.add(line);
                    }
                });
            } catch (IOException | UncheckedIOException closed) {
                // The JVM has gone.
            }
        }

        /** The options of this JVM, and one that makes identity hash codes those of the recorded run. */
        private static List<String> options() {
            List<String> options = new ArrayList<>(List.of(
                    "-XX:+IgnoreUnrecognizedVMOptions", "-XX:+UnlockExperimentalVMOptions", "-XX:hashCode=2"));
            for (String option : java.lang.management.ManagementFactory.getRuntimeMXBean().getInputArguments()) {
                boolean isAgent = option.equals("-Xdebug") || option.startsWith("-Xrun");
                boolean isPlain = option.startsWith("-X") || option.startsWith("-D") || option.startsWith("--add-opens=")
                        || option.startsWith("--add-exports=") || option.equals("--enable-preview");
                if (isPlain && !isAgent) {
                    options.add(option);
                }
            }
            return options;
        }

        /** That of this JVM, and where else classes are loaded from. */
        private static String classPath(Path classes) {
            Set<String> entries = new LinkedHashSet<>(List.of(classes.toString()));
            entries.addAll(List.of(System.getProperty("java.class.path").split(File.pathSeparator)));
            List<URL> locations = new ArrayList<>();
            ClassLoader loader = Debugger.class.getClassLoader();
            for (ClassLoader each = loader; each != null; each = each.getParent()) {
                if (each instanceof URLClassLoader open) {
                    locations.addAll(List.of(open.getURLs()));
                }
            }
            try {
                CodeSource source = Class.forName(Scenario.SUBJECT, false, loader).getProtectionDomain().getCodeSource();
                if (source != null && source.getLocation() != null) {
                    locations.add(source.getLocation());
                }
            } catch (ClassNotFoundException | LinkageError unknown) {
                // The test will tell.
            }
            for (URL location : locations) {
                if (location.getProtocol().equals("file")) {
                    entries.add(new File(URI.create(location.toString())).getPath());
                }
            }
            // Empty stands for the current directory.
            entries.remove("");
            return String.join(File.pathSeparator, entries);
        }

        private final VirtualMachine vm;
        private final EventRequestManager requests;
        private final Map<Integer, ThreadReference> threads = new HashMap<>();
        private final Set<ThreadReference> ended = new HashSet<>();
        private final Map<Method, byte[]> code = new HashMap<>();

        private Debugger(VirtualMachine vm) {
            this.vm = vm;
            requests = vm.eventRequestManager();
        }

        /** Waits until every thread of the test is held before its first call. */
        private void gather() throws InterruptedException {
            ClassPrepareRequest prepare = requests.createClassPrepareRequest();
            prepare.addClassFilter(Scenario.class.getName());
            prepare.enable();
            ThreadDeathRequest death = requests.createThreadDeathRequest();
            death.setSuspendPolicy(EventRequest.SUSPEND_NONE);
            death.enable();
            // The JVM waits for the answer to its first event.
            while (threads.size() < THREADS) {
                EventSet events = vm.eventQueue().remove(TEST_SECONDS * 1_000);
                if (events == null) {
                    throw new IllegalStateException("the threads of the test do not begin");
                }
                boolean isHeld = false;
                for (Event event : events) {
                    if (event instanceof ClassPrepareEvent prepared) {
                        Location hook = prepared.referenceType().methodsByName("begins").get(0).location();
                        BreakpointRequest request = requests.createBreakpointRequest(hook);
                        request.setSuspendPolicy(EventRequest.SUSPEND_EVENT_THREAD);
                        request.enable();
                    } else if (event instanceof BreakpointEvent begins) {
                        String name = begins.thread().name();
                        if (name.startsWith("thread ")) {
                            threads.put(Integer.valueOf(name.substring("thread ".length())), begins.thread());
                            isHeld = true;
                        }
                    }
                }
                if (!isHeld) {
                    events.resume();
                }
            }
        }

        private boolean follow() throws Exception {
            long end = System.nanoTime() + FOLLOW_SECONDS * 1_000_000_000L;
            for (Step step : SCHEDULE) {
                String problem = System.nanoTime() > end ? "there is no time left" : run(step);
                if (problem != null) {
                    say("  thread " + step.thread() + " cannot be held " + step + ": " + problem);
                    say("  so the schedule cannot be followed here, and the threads run freely");
                    return false;
                }
                say("  thread " + step.thread() + " is held " + step);
            }
            say("  now all threads run freely");
            return true;
        }

        /** Stops a thread at its n-th place, and lets the others run; not if there are fewer places. */
        private boolean preempt(int number, int place) throws Exception {
            ThreadReference thread = threads.get(number);
            StepRequest steps = requests.createStepRequest(thread, StepRequest.STEP_MIN, StepRequest.STEP_INTO);
            steps.addClassExclusionFilter(Scenario.class.getName());
            for (String platform : PLATFORM) {
                if (!Scenario.SUBJECT.startsWith(platform)) {
                    steps.addClassExclusionFilter(platform + "*");
                }
            }
            steps.setSuspendPolicy(EventRequest.SUSPEND_EVENT_THREAD);
            steps.enable();
            int[] places = {0};
            String problem = run(thread, BLOCKED_LOOKS, event -> event instanceof StepEvent step
                    && isNoticed(step.location()) && ++places[0] == place);
            requests.deleteEventRequest(steps);
            if (problem != null) {
                return false;
            }
            for (int other = 1; other <= THREADS; other++) {
                if (other != number) {
                    run(end(other));
                }
            }
            return true;
        }

        /** Whether other threads could notice what an instruction does: it is an access, a lock operation or a call. */
        private boolean isNoticed(Location location) {
            if (isPlatform(location.declaringType().name())) {
                return false;
            }
            int opcode = bytecodes(location.method())[(int) location.codeIndex()] & 0xff;
            boolean isElement = opcode >= 46 && opcode <= 53 || opcode >= 79 && opcode <= 86;
            boolean isMonitor = opcode == 194 || opcode == 195;
            return isElement || isMonitor || opcode >= 178 && opcode <= 186;
        }

        /** Whether a class is of the JDK, and has nothing to do with the class under test. */
        private static boolean isPlatform(String type) {
            String home = Scenario.SUBJECT.substring(0, Scenario.SUBJECT.lastIndexOf('.') + 1);
            return PLATFORM.stream().anyMatch(type::startsWith) && !(type.startsWith(home)
                    && type.indexOf('.', home.length()) < 0);
        }

        private byte[] bytecodes(Method method) {
            return code.computeIfAbsent(method, Method::bytecodes);
        }

        /** Nothing is held any more. */
        private void release() {
            ClassType scenario = (ClassType) vm.classesByName(Scenario.class.getName()).get(0);
            try {
                scenario.setValue(scenario.fieldByName("isReleased"), vm.mirrorOf(true));
            } catch (InvalidTypeException | ClassNotLoadedException problem) {
                throw new IllegalStateException(problem);
            }
            vm.dispose();
        }

        /** Follows one step; the answer is what kept the thread from it, or null. */
        private String run(Step step) throws Exception {
            ThreadReference thread = threads.get(step.thread());
            List<BreakpointRequest> places = new ArrayList<>();
            if (step.times() > 0) {
                for (Location location : locations(step)) {
                    BreakpointRequest request = requests.createBreakpointRequest(location);
                    request.addThreadFilter(thread);
                    request.setSuspendPolicy(EventRequest.SUSPEND_EVENT_THREAD);
                    request.enable();
                    places.add(request);
                }
                if (places.isEmpty()) {
                    return "there is no such place, the code is not the recorded one";
                }
            }
            try {
                return run(step, thread, places);
            } finally {
                requests.deleteEventRequests(places);
            }
        }

        private String run(Step step, ThreadReference thread, List<BreakpointRequest> places) throws Exception {
            if (step.stop() == Stop.AFTER && step.times() == 0) {
                oneInstruction(thread);
            }
            int[] times = {0};
            int looks = step.stop() == Stop.WAITING ? WAITING_LOOKS : BLOCKED_LOOKS;
            String problem = run(thread, looks, event -> {
                if (event instanceof StepEvent) {
                    requests.deleteEventRequest(event.request());
                    return true;
                }
                if (event instanceof BreakpointEvent hit && hit.thread().equals(thread)) {
                    if (!places.contains(hit.request())) {
                        return step.stop() == Stop.CALL && callOf(thread) == step.index();
                    }
                    if (!isLoading(thread) && ++times[0] == step.times()) {
                        if (step.stop() == Stop.AT) {
                            return true;
                        }
                        oneInstruction(thread);
                    }
                }
                return false;
            });
            if (step.stop() == Stop.WAITING && BLOCKED.equals(problem)) {
                // It will not get further than the end of its wait.
                thread.suspend();
                return null;
            }
            return step.stop() == Stop.END && ended.contains(thread) ? null : problem;
        }

        /** Whether a thread is where it should be. */
        private interface Arrival {
            boolean is(Event event) throws Exception;
        }

        /** Lets a thread run until it is where it should be; the answer is what kept it from that, or null. */
        private String run(ThreadReference thread, int looks, Arrival arrival) throws Exception {
            for (int count = thread.suspendCount(); count > 0; count--) {
                thread.resume();
            }
            int blocked = 0;
            long end = System.nanoTime() + STEP_SECONDS * 1_000_000_000L;
            while (System.nanoTime() < end) {
                if (ended.contains(thread)) {
                    return "it has ended";
                }
                EventSet events = vm.eventQueue().remove(LOOK_MILLIS);
                if (events == null) {
                    int status = thread.status();
                    boolean isBlocked = status == ThreadReference.THREAD_STATUS_MONITOR
                            || status == ThreadReference.THREAD_STATUS_WAIT;
                    blocked = isBlocked ? blocked + 1 : 0;
                    if (blocked > looks || blocked > OWNER_LOOKS && isOwnerHeld(thread)) {
                        return BLOCKED;
                    }
                    continue;
                }
                boolean isThere = false;
                for (Event event : events) {
                    if (event instanceof ThreadDeathEvent death) {
                        ended.add(death.thread());
                    }
                    isThere |= arrival.is(event);
                }
                if (isThere) {
                    return null;
                }
                events.resume();
            }
            thread.suspend();
            return "it does not get there within " + STEP_SECONDS + " seconds";
        }

        /** Whether a thread wants the monitor of one that is held. */
        private static boolean isOwnerHeld(ThreadReference thread) {
            thread.suspend();
            try {
                ObjectReference monitor = thread.currentContendedMonitor();
                ThreadReference owner = monitor == null ? null : monitor.owningThread();
                return owner != null && owner.isSuspended();
            } catch (IncompatibleThreadStateException running) {
                return false;
            } finally {
                thread.resume();
            }
        }

        private void oneInstruction(ThreadReference thread) {
            StepRequest request = requests.createStepRequest(thread, StepRequest.STEP_MIN, StepRequest.STEP_OVER);
            request.addCountFilter(1);
            request.setSuspendPolicy(EventRequest.SUSPEND_EVENT_THREAD);
            request.enable();
        }

        private List<Location> locations(Step step) {
            List<Location> locations = new ArrayList<>();
            for (ReferenceType type : vm.classesByName(step.type())) {
                for (Method method : type.methodsByName(step.method(), step.descriptor())) {
                    // In the middle of an instruction, a breakpoint would break the code.
                    if (isInstruction(bytecodes(method), step.index())) {
                        locations.add(method.locationOfCodeIndex(step.index()));
                    }
                }
            }
            return locations;
        }

        private static boolean isInstruction(byte[] code, long index) {
            int at = 0;
            while (at < index && at < code.length) {
                at += length(code, at);
            }
            return at == index && at < code.length;
        }

        /** The length of an instruction, see The Java Virtual Machine Specification, chapter 6. */
        private static int length(byte[] code, int at) {
            int opcode = code[at] & 0xff;
            if (opcode == 170 || opcode == 171) {
                // A switch: padding, the default, and a table.
                ByteBuffer operands = ByteBuffer.wrap(code);
                int start = (at & ~3) + 8;
                int first = operands.getInt(start);
                int table = opcode == 170 ? 8 + 4 * (operands.getInt(start + 4) - first + 1) : 4 + 8 * first;
                return start + table - at;
            }
            if (opcode == 196) {
                return (code[at + 1] & 0xff) == 132 ? 6 : 4;
            }
            return switch (opcode) {
                case 16, 18, 21, 22, 23, 24, 25, 54, 55, 56, 57, 58, 169, 188 -> 2;
                case 17, 19, 20, 132, 178, 179, 180, 181, 182, 183, 184, 187, 189, 192, 193, 198, 199 -> 3;
                case 197 -> 4;
                case 185, 186, 200, 201 -> 5;
                default -> opcode >= 153 && opcode <= 168 ? 3 : 1;
            };
        }

        /** Whether the JVM is loading or linking something on behalf of the thread. */
        private static boolean isLoading(ThreadReference thread) throws IncompatibleThreadStateException {
            for (StackFrame frame : thread.frames()) {
                if (LOADING.contains(frame.location().method().name())) {
                    return true;
                }
            }
            return false;
        }

        /** The call that the thread is about to begin. */
        private static int callOf(ThreadReference thread) throws IncompatibleThreadStateException {
            return ((IntegerValue) thread.frame(0).getArgumentValues().get(0)).value();
        }
    }
}
