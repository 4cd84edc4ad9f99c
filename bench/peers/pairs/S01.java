// IntRange, asked for its hash twice: half of it is seen.

package pairs;

import org.apache.commons.lang.math.IntRange;

public class S01 implements Pair {
    private final IntRange range = new IntRange(1, 5);

    @Override
    public Object a() throws Exception {
        return range.hashCode();
    }

    @Override
    public Object b() throws Exception {
        return range.hashCode();
    }
}
