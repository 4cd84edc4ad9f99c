// PerformanceMonitor, counted up twice: once is lost.

package pairs;

import standin.s33.PerformanceMonitor;

public class S33Standin implements Pair {
    private final PerformanceMonitor monitor = new PerformanceMonitor("x");

    public S33Standin() {
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
        return monitor.stopAndPrintFinalResult();
    }
}
