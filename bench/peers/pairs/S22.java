// StringBuffer, inserted into itself while it gets shorter: IndexOutOfBoundsException.

package pairs;

public class S22 implements Pair {
    private final StringBuffer buffer = new StringBuffer("abc");

    @Override
    public Object a() throws Exception {
        buffer.insert(1, (CharSequence) buffer);
        return null;
    }

    @Override
    public Object b() throws Exception {
        buffer.deleteCharAt(0);
        return null;
    }
}
