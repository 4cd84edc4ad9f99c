// AsMap of google-collections 1.0, asked for its entries twice: null.

package pairs;

import standin.s24.AsMap;

public class S24Standin implements Pair {
    private final AsMap map = new AsMap();

    public S24Standin() {
        map.put("k", "v");
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
