/*
 * Subject S40, stands for com.sun.corba.se.impl.monitoring.MonitoredObjectImpl of JDK 1.7. 14 public methods, no
 * public constructor: MonitoredObjectFactory makes the objects.
 *
 * Pattern: addChild holds the lock of the parent and calls setParent of the child, which takes the child's; clearState
 *          holds the lock of the parent and calls clearState of all children.
 * Pair:    a.addChild(b) ∥ b.addChild(a). Also a.addChild(b) ∥ b.clearState() with a among the children of b.
 * Shows:   deadlock.
 */
package standin.s40;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

/** A node of the tree. */
public class MonitoredObjectImpl implements MonitoredObject {
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
        synchronized (this) {
            children.put(child.getName(), child);
            child.setParent(this);
        }
    }

    @Override
    public void removeChild(String name) {
        synchronized (this) {
            children.remove(name);
        }
    }

    @Override
    public MonitoredObject getChild(String name) {
        synchronized (this) {
            return children.get(name);
        }
    }

    @Override
    public Collection<MonitoredObject> getChildren() {
        synchronized (this) {
            return new ArrayList<>(children.values());
        }
    }

    @Override
    public boolean isLeaf() {
        synchronized (this) {
            return children.isEmpty();
        }
    }

    @Override
    public void setParent(MonitoredObject parent) {
        synchronized (this) {
            this.parent = parent;
        }
    }

    @Override
    public MonitoredObject getParent() {
        synchronized (this) {
            return parent;
        }
    }

    @Override
    public void addAttribute(MonitoredAttribute attribute) {
        synchronized (this) {
            attributes.put(attribute.getName(), attribute);
        }
    }

    @Override
    public void removeAttribute(String name) {
        synchronized (this) {
            attributes.remove(name);
        }
    }

    @Override
    public MonitoredAttribute getAttribute(String name) {
        synchronized (this) {
            return attributes.get(name);
        }
    }

    @Override
    public Collection<MonitoredAttribute> getAttributes() {
        synchronized (this) {
            return new ArrayList<>(attributes.values());
        }
    }

    @Override
    public void clearState() {
        synchronized (this) {
            for (MonitoredAttribute attribute : attributes.values()) {
                attribute.clearState();
            }
            for (MonitoredObject child : children.values()) {
                child.clearState();
            }
        }
    }
}
