// Hashtable of JDK 1.4, each a key of the other, both asked for their hash: deadlock.

package pairs;

import standin.s18.Hashtable;

public class S18Standin implements Pair {
    private final Hashtable first = new Hashtable();
    private final Hashtable second = new Hashtable();

    public S18Standin() {
        first.put(second, "x");
        second.put(first, "x");
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
