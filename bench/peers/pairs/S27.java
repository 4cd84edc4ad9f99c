// Vector, each removed from the other: deadlock.

package pairs;

import java.util.List;
import java.util.Vector;

public class S27 implements Pair {
    private final Vector<String> first = new Vector<>(List.of("x", "y"));
    private final Vector<String> second = new Vector<>(List.of("x", "z"));

    @Override
    public Object a() throws Exception {
        return first.removeAll(second);
    }

    @Override
    public Object b() throws Exception {
        return second.removeAll(first);
    }
}
