// MonitoredObjectImpl, each a child of the other: deadlock.

package pairs;

import standin.s40.MonitoredObject;
import standin.s40.MonitoredObjectFactory;

public class S40Standin implements Pair {
    private final MonitoredObject first = new MonitoredObjectFactory().createMonitoredObject("a", "a");
    private final MonitoredObject second = new MonitoredObjectFactory().createMonitoredObject("b", "b");

    @Override
    public Object a() throws Exception {
        first.addChild(second);
        return null;
    }

    @Override
    public Object b() throws Exception {
        second.addChild(first);
        return null;
    }
}
