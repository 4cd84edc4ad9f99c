/* Subject S40: a node of a tree of things that are watched. */
package standin.s40;

import java.util.Collection;

public interface MonitoredObject {
    String getName();

    String getDescription();

    void addChild(MonitoredObject child);

    void removeChild(String name);

    MonitoredObject getChild(String name);

    Collection<MonitoredObject> getChildren();

    boolean isLeaf();

    void setParent(MonitoredObject parent);

    MonitoredObject getParent();

    void addAttribute(MonitoredAttribute attribute);

    void removeAttribute(String name);

    MonitoredAttribute getAttribute(String name);

    Collection<MonitoredAttribute> getAttributes();

    void clearState();
}
