// XYPlot, copied while a data set is mapped: ConcurrentModificationException.

package pairs;

import org.jfree.chart.plot.XYPlot;

public class S11 implements Pair {
    private final XYPlot plot = new XYPlot();

    public S11() {
        for (int index = 0; index < 6; index++) {
            plot.mapDatasetToDomainAxis(index, 0);
        }
    }

    @Override
    public Object a() throws Exception {
        plot.clone();
        return null;
    }

    @Override
    public Object b() throws Exception {
        plot.mapDatasetToDomainAxis(6, 0);
        return null;
    }
}
