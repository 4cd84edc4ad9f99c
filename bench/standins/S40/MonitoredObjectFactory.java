/* Subject S40: the only way to nodes. */
package standin.s40;

public class MonitoredObjectFactory {
    public MonitoredObjectFactory() {
    }

    public MonitoredObject createMonitoredObject(String name, String description) {
        return new MonitoredObjectImpl(name, description);
    }
}
