// Vector of JDK 1.1.7, searched while it is emptied: ArrayIndexOutOfBoundsException.

package pairs;

import standin.s23.Vector;

public class S23Standin implements Pair {
    private final Vector vector = new Vector();

    public S23Standin() {
        vector.addElement("x");
        vector.addElement("y");
    }

    @Override
    public Object a() throws Exception {
        return vector.lastIndexOf("x");
    }

    @Override
    public Object b() throws Exception {
        vector.removeAllElements();
        vector.trimToSize();
        return null;
    }
}
