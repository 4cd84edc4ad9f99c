// AsMap, asked for its entries twice: null.

package pairs;

import com.google.common.collect.HashMultimap;
import java.util.Collection;
import java.util.Map;

public class S24 implements Pair {
    private final Map<String, Collection<String>> map;

    public S24() {
        HashMultimap<String, String> multimap = HashMultimap.create();
        multimap.put("k", "v");
        map = multimap.asMap();
    }

    @Override
    public Object a() throws Exception {
        return map.entrySet() == null;
    }

    @Override
    public Object b() throws Exception {
        return map.entrySet() == null;
    }
}
