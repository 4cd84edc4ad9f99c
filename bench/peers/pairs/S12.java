// XYSeries, an item added while it is cleared: IndexOutOfBoundsException.

package pairs;

import org.jfree.data.xy.XYSeries;

public class S12 implements Pair {
    private final XYSeries series = new XYSeries("x");

    public S12() {
        series.add(1.0, 1.0);
        series.add(2.0, 2.0);
    }

    @Override
    public Object a() throws Exception {
        series.add(3.0, 3.0);
        return null;
    }

    @Override
    public Object b() throws Exception {
        series.clear();
        return null;
    }
}
