// Two threads that compare two tables and lock them in one order, as `bench/peers/lincheck/HashtableInOrder.java`.

package pairs;

import java.util.Hashtable;

public class HashtableInOrder implements Pair {
    private final Hashtable<String, String> first = new Hashtable<>();
    private final Hashtable<String, String> second = new Hashtable<>();

    public HashtableInOrder() {
        first.put("k", "v");
        second.put("k", "v");
    }

    @Override
    public Object a() {
        return first.equals(second);
    }

    @Override
    public Object b() {
        return first.equals(second);
    }
}
