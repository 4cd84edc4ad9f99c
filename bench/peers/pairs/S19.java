// Synchronized maps, each compared with the other: deadlock.

package pairs;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;

public class S19 implements Pair {
    private final Map<String, String> first = Collections.synchronizedMap(new HashMap<>());
    private final Map<String, String> second = Collections.synchronizedMap(new HashMap<>());

    public S19() {
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
