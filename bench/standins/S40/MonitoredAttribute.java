/* Subject S40: a value that is watched. */
package standin.s40;

public class MonitoredAttribute {
    private final String name;
    private volatile Object value;

    public MonitoredAttribute(String name) {
        this.name = name;
    }

    public String getName() {
        return name;
    }

    public Object getValue() {
        return value;
    }

    public void setValue(Object value) {
        this.value = value;
    }

    public void clearState() {
        value = null;
    }
}
