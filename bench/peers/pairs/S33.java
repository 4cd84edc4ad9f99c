// PerformanceMonitor, counted up twice: once is lost.

package pairs;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import opennlp.tools.cmdline.PerformanceMonitor;

public class S33 implements Pair {
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final PerformanceMonitor monitor = new PerformanceMonitor(new PrintStream(printed), "x");

    public S33() {
        monitor.start();
    }

    @Override
    public Object a() throws Exception {
        monitor.incrementCounter();
        return null;
    }

    @Override
    public Object b() throws Exception {
        monitor.incrementCounter();
        return null;
    }

    @Override
    public Object after() throws Exception {
        monitor.stopAndPrintFinalResult();
        // Other lines depend on the time.
        return printed.toString().lines().filter(line -> line.startsWith("Total")).findFirst().orElse("");
    }
}
