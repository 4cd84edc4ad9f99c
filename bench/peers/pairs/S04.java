// DoubleIntIndex, an entry looked up while it is removed: IndexOutOfBoundsException.

package pairs;

import org.hsqldb.lib.DoubleIntIndex;

public class S04 implements Pair {
    private final DoubleIntIndex index = new DoubleIntIndex(4, false);

    public S04() {
        index.add(1, 10);
    }

    @Override
    public Object a() throws Exception {
        return index.lookup(1);
    }

    @Override
    public Object b() throws Exception {
        index.remove(0);
        return null;
    }
}
