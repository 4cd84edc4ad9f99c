// MonitoredObjectImpl, each a child of the other: deadlock.

package pairs;

import com.sun.corba.se.impl.monitoring.MonitoredObjectFactoryImpl;
import com.sun.corba.se.spi.monitoring.MonitoredObject;

public class S40 implements Pair {
    private final MonitoredObject first = new MonitoredObjectFactoryImpl().createMonitoredObject("a", "a");
    private final MonitoredObject second = new MonitoredObjectFactoryImpl().createMonitoredObject("b", "b");

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
