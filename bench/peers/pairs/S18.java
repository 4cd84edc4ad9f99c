// Hashtable, each a value of the other, both asked for their hash: deadlock.

package pairs;

import java.util.Hashtable;

public class S18 implements Pair {
    private final Hashtable<String, Object> first = new Hashtable<>();
    private final Hashtable<String, Object> second = new Hashtable<>();

    public S18() {
        first.put("k", second);
        second.put("k", first);
    }

    @Override
    public Object a() throws Exception {
        return first.hashCode();
    }

    @Override
    public Object b() throws Exception {
        return second.hashCode();
    }
}
