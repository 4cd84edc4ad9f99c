/*
 * Subject S40, mended: one lock for the whole tree, so that nobody holds one and waits for another. Nothing fails.
 */
package standin.s40;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

/** A node of the tree. */
public class MonitoredObjectImpl implements MonitoredObject {
    private static final Object TREE = new Object();

    private final String name;
    private final String description;
    private final Map<String, MonitoredObject> children = new LinkedHashMap<>();
    private final Map<String, MonitoredAttribute> attributes = new LinkedHashMap<>();
    private MonitoredObject parent;

    MonitoredObjectImpl(String name, String description) {
        this.name = name;
        this.description = description;
    }

    @Override
    public String getName() {
        return name;
    }

    @Override
    public String getDescription() {
        return description;
    }

    @Override
    public void addChild(MonitoredObject child) {
        synchronized (TREE) {
            children.put(child.getName(), child);
            child.setParent(this);
        }
    }

    @Override
    public void removeChild(String name) {
        synchronized (TREE) {
            children.remove(name);
        }
    }

    @Override
    public MonitoredObject getChild(String name) {
        synchronized (TREE) {
            return children.get(name);
        }
    }

    @Override
    public Collection<MonitoredObject> getChildren() {
        synchronized (TREE) {
            return new ArrayList<>(children.values());
        }
    }

    @Override
    public boolean isLeaf() {
        synchronized (TREE) {
            return children.isEmpty();
        }
    }

    @Override
    public void setParent(MonitoredObject parent) {
        synchronized (TREE) {
            this.parent = parent;
        }
    }

    @Override
    public MonitoredObject getParent() {
        synchronized (TREE) {
            return parent;
        }
    }

    @Override
    public void addAttribute(MonitoredAttribute attribute) {
        synchronized (TREE) {
            attributes.put(attribute.getName(), attribute);
        }
    }

    @Override
    public void removeAttribute(String name) {
        synchronized (TREE) {
            attributes.remove(name);
        }
    }

    @Override
    public MonitoredAttribute getAttribute(String name) {
        synchronized (TREE) {
            return attributes.get(name);
        }
    }

    @Override
    public Collection<MonitoredAttribute> getAttributes() {
        synchronized (TREE) {
            return new ArrayList<>(attributes.values());
        }
    }

    @Override
    public void clearState() {
        synchronized (TREE) {
            for (MonitoredAttribute attribute : attributes.values()) {
                attribute.clearState();
            }
            for (MonitoredObject child : children.values()) {
                child.clearState();
            }
        }
    }
}
