// CharArrayWriter, each written to the other: deadlock.

package pairs;

import java.io.CharArrayWriter;

public class S34 implements Pair {
    private final CharArrayWriter first = new CharArrayWriter();
    private final CharArrayWriter second = new CharArrayWriter();

    public S34() {
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
