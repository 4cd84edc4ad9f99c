// ByteArrayOutputStream, each written to the other: deadlock.

package pairs;

import java.io.ByteArrayOutputStream;

public class S39 implements Pair {
    private final ByteArrayOutputStream first = new ByteArrayOutputStream();
    private final ByteArrayOutputStream second = new ByteArrayOutputStream();

    public S39() {
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
