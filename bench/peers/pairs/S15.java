// XStream, a converter registered while one is looked up: ConcurrentModificationException.

package pairs;

import com.thoughtworks.xstream.XStream;
import com.thoughtworks.xstream.converters.collections.BitSetConverter;
import java.util.ArrayList;
import java.util.List;

public class S15 implements Pair {
    private final XStream stream = new XStream();

    @Override
    public Object a() throws Exception {
        return stream.toXML(new ArrayList<>(List.of(1)));
    }

    @Override
    public Object b() throws Exception {
        stream.registerConverter(new BitSetConverter());
        return null;
    }
}
