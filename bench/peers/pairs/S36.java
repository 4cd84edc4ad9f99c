// ClosableCharArrayWriter, each written to the other: deadlock.

package pairs;

import java.io.IOException;
import org.hsqldb.lib.ClosableCharArrayWriter;

public class S36 implements Pair {
    private final ClosableCharArrayWriter first = new ClosableCharArrayWriter();
    private final ClosableCharArrayWriter second = new ClosableCharArrayWriter();

    public S36() throws IOException {
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
