// Vector of JDK 1.4.2, copied while it grows: ArrayIndexOutOfBoundsException.

package pairs;

import standin.s06.Vector;

public class S06Standin implements Pair {
    private final Vector first = new Vector();
    private final Vector second = new Vector();

    public S06Standin() {
        second.addElement("x");
    }

    @Override
    public Object a() throws Exception {
        return first.addAll(second);
    }

    @Override
    public Object b() throws Exception {
        second.addElement("y");
        return null;
    }
}
