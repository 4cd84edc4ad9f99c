// StringBuffer, each appended to the other: deadlock.

package pairs;

public class S16 implements Pair {
    private final StringBuffer first = new StringBuffer("a");
    private final StringBuffer second = new StringBuffer("b");

    @Override
    public Object a() throws Exception {
        first.append(second);
        return null;
    }

    @Override
    public Object b() throws Exception {
        second.append(first);
        return null;
    }
}
