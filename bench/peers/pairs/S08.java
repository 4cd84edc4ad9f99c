// NumberAxis, centred twice: IllegalArgumentException from a range of two others.

package pairs;

import org.jfree.chart.axis.NumberAxis;

public class S08 implements Pair {
    private final NumberAxis axis = new NumberAxis("x");

    @Override
    public Object a() throws Exception {
        axis.centerRange(-1);
        return null;
    }

    @Override
    public Object b() throws Exception {
        axis.centerRange(-1);
        return null;
    }
}
