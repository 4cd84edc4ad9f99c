// BufferedInputStream of JDK 1.1, read while it is closed: NullPointerException.

package pairs;

import java.io.ByteArrayInputStream;
import standin.s05.BufferedInputStream;

public class S05Standin implements Pair {
    private final BufferedInputStream stream = new BufferedInputStream(new ByteArrayInputStream(new byte[] {1, 2, 3}));

    @Override
    public Object a() throws Exception {
        return stream.read();
    }

    @Override
    public Object b() throws Exception {
        stream.close();
        return null;
    }
}
