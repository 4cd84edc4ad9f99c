// PeriodAxis, its range read while it is moved: IllegalArgumentException.

package pairs;

import org.jfree.chart.axis.PeriodAxis;
import org.jfree.data.time.Day;

public class S09 implements Pair {
    private final PeriodAxis axis = new PeriodAxis("x", new Day(1, 1, 2000), new Day(31, 1, 2000));

    @Override
    public Object a() throws Exception {
        return axis.getRange().toString();
    }

    @Override
    public Object b() throws Exception {
        axis.setUpperBound(86_400_000.0);
        return null;
    }
}
