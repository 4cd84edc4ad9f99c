// Day, two dates read with one format: NumberFormatException and others.

package pairs;

import org.jfree.data.time.Day;

public class S07 implements Pair {

    @Override
    public Object a() throws Exception {
        return String.valueOf(Day.parseDay("2001-01-02"));
    }

    @Override
    public Object b() throws Exception {
        return String.valueOf(Day.parseDay("2010-11-12"));
    }
}
