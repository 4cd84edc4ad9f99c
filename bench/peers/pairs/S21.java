// ConcurrentHashMap that contains itself: StackOverflowError.

package pairs;

import java.util.concurrent.ConcurrentHashMap;

public class S21 implements Pair {
    private final ConcurrentHashMap<String, Object> map = new ConcurrentHashMap<>();

    public S21() {
        map.put("k", map);
    }

    @Override
    public Object a() throws Exception {
        map.clear();
        return map.hashCode();
    }

    @Override
    public Object b() throws Exception {
        map.putAll(map);
        return null;
    }
}
