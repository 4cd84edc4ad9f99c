// ClosableByteArrayOutputStream, each written to the other: deadlock.

package pairs;

import java.io.IOException;
import org.hsqldb.lib.ClosableByteArrayOutputStream;

public class S35 implements Pair {
    private final ClosableByteArrayOutputStream first = new ClosableByteArrayOutputStream();
    private final ClosableByteArrayOutputStream second = new ClosableByteArrayOutputStream();

    public S35() throws IOException {
        first.write('x');
        second.write('x');
    }

    @Override
    public Object a() throws Exception {
        first.writeTo(second);
        return null;
    }

    @Override
    public Object b() throws Exception {
        second.writeTo(first);
        return null;
    }
}
