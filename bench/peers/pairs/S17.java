// Hashtable, each compared with the other: deadlock.

package pairs;

import java.util.Hashtable;

public class S17 implements Pair {
    private final Hashtable<String, String> first = new Hashtable<>();
    private final Hashtable<String, String> second = new Hashtable<>();

    public S17() {
        first.put("k", "v");
        second.put("k", "v");
    }

    @Override
    public Object a() throws Exception {
        return first.equals(second);
    }

    @Override
    public Object b() throws Exception {
        return second.equals(first);
    }
}
