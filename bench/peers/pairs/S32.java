// CompositeGraphicsNode with one free place, two nodes added: ArrayIndexOutOfBoundsException.

package pairs;

import org.apache.batik.gvt.CompositeGraphicsNode;

public class S32 implements Pair {
    private final CompositeGraphicsNode parent = new CompositeGraphicsNode();

    public S32() {
        for (int index = 0; index < 3; index++) {
            parent.add(new CompositeGraphicsNode());
        }
    }

    @Override
    public Object a() throws Exception {
        return parent.add(new CompositeGraphicsNode());
    }

    @Override
    public Object b() throws Exception {
        return parent.add(new CompositeGraphicsNode());
    }
}
