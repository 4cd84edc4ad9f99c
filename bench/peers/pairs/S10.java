// TimeSeries, four items added: IndexOutOfBoundsException, NullPointerException.

package pairs;

import org.jfree.data.time.Day;
import org.jfree.data.time.TimeSeries;

public class S10 implements Pair {
    private final TimeSeries series = new TimeSeries("x", Day.class);

    @Override
    public Object a() throws Exception {
        series.add(new Day(1, 1, 2000), 1.0);
        series.add(new Day(3, 1, 2000), 3.0);
        return null;
    }

    @Override
    public Object b() throws Exception {
        series.add(new Day(2, 1, 2000), 2.0);
        series.add(new Day(4, 1, 2000), 4.0);
        return null;
    }
}
