/*
 * Subject S33, stands for opennlp.tools.cmdline.PerformanceMonitor of OpenNLP 1.5.3. 6 public methods.
 *
 * Pattern: a volatile counter is counted up without a lock, and a volatile flag is tested and then set without one.
 * Pair:    incrementCounter() ∥ incrementCounter() on a monitor that was started; start() ∥ start().
 * Shows:   stopAndPrintFinalResult returns 1 after two calls; both calls of start succeed, although in every order the
 *          second one throws IllegalStateException.
 */
package standin.s33;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;

/** Counts what was done, and tells how long it took. The original only prints the count; here it is returned too. */
public class PerformanceMonitor {
    private final String unit;
    private final PrintStream out;
    private volatile boolean started;
    private volatile long startTime;
    private volatile int counter;

    public PerformanceMonitor(String unit) {
        this(new PrintStream(new ByteArrayOutputStream()), unit);
    }

    public PerformanceMonitor(PrintStream out, String unit) {
        this.out = out;
        this.unit = unit;
    }

    public boolean isStarted() {
        return started;
    }

    public void incrementCounter() {
        incrementCounter(1);
    }

    public void incrementCounter(int increment) {
        if (!started) {
            throw new IllegalStateException("not started");
        }
        if (increment < 0) {
            throw new IllegalArgumentException("increment " + increment);
        }
        counter += increment;
    }

    public void start() {
        if (started) {
            throw new IllegalStateException("already started");
        }
        started = true;
        startTime = System.nanoTime();
    }

    public void startAndPrintThroughput() {
        start();
        out.println("counting " + unit);
    }

    public int stopAndPrintFinalResult() {
        if (!started) {
            throw new IllegalStateException("not started");
        }
        started = false;
        int total = counter;
        out.println(total + " " + unit + " in " + (System.nanoTime() - startTime) / 1000000 + " ms");
        return total;
    }
}
