/*
 * Subject S06, stands for java.util.Vector of JDK 1.4.2, whose failing pair was never printed. 45 public methods.
 *
 * Pattern: all methods hold the lock, but a copy is made of another vector in two steps, each locked by itself: its
 *          size, then its content. And an enumeration compares its position with the count without the lock.
 * Pair:    a.addAll(b) ∥ b.addElement(x), likewise containsAll, removeAll and retainAll of a, and new Vector(b);
 *          a.addAll(0,b) ∥ b.removeAllElements(), which goes through the enumeration.
 * Shows:   ArrayIndexOutOfBoundsException from the copy, NoSuchElementException from the enumeration, which no order of
 *          whole calls gives. If b shrinks during a copy, null elements in a.
 * Besides: whatever compares elements holds the lock meanwhile, so vectors that hold each other can deadlock.
 */
package standin.s06;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Enumeration;
import java.util.Iterator;
import java.util.List;
import java.util.ListIterator;
import java.util.NoSuchElementException;

/**
 * A list in an array that grows.
 *
 * <p>It is no java.util.List: those have gained public methods since, and the number of methods is to stay. The
 * original has 44 of these methods; removeRange is public here.
 */
public class Vector implements Cloneable {
    private Object[] data;
    private int count;

    public Vector() {
        this(10);
    }

    public Vector(int capacity) {
        if (capacity < 0) {
            throw new IllegalArgumentException("capacity " + capacity);
        }
        data = new Object[capacity];
    }

    /** Copies another vector: its size in one step, its content in another. */
    public Vector(Vector other) {
        count = other.size();
        data = new Object[count];
        other.copyInto(data);
    }

    private void checkElement(int index) {
        if (index < 0 || index >= count) {
            throw new ArrayIndexOutOfBoundsException(index + " of " + count);
        }
    }

    private void checkPlace(int index) {
        if (index < 0 || index > count) {
            throw new ArrayIndexOutOfBoundsException(index + " of " + count);
        }
    }

    private void makeRoom(int wanted) {
        if (wanted > data.length) {
            data = Arrays.copyOf(data, Math.max(wanted, 2 * data.length));
        }
    }

    private void open(int index, int width) {
        makeRoom(count + width);
        System.arraycopy(data, index, data, index + width, count - index);
        count += width;
    }

    private void close(int index, int width) {
        System.arraycopy(data, index + width, data, index, count - index - width);
        Arrays.fill(data, count - width, count, null);
        count -= width;
    }

    public synchronized void copyInto(Object[] into) {
        System.arraycopy(data, 0, into, 0, count);
    }

    public synchronized void trimToSize() {
        data = Arrays.copyOf(data, count);
    }

    public synchronized void ensureCapacity(int capacity) {
        makeRoom(capacity);
    }

    public synchronized void setSize(int size) {
        if (size < 0) {
            throw new ArrayIndexOutOfBoundsException(size);
        }
        makeRoom(size);
        if (size < count) {
            Arrays.fill(data, size, count, null);
        }
        count = size;
    }

    public synchronized int capacity() {
        return data.length;
    }

    public synchronized int size() {
        return count;
    }

    public synchronized boolean isEmpty() {
        return count == 0;
    }

    public Enumeration<Object> elements() {
        return new Elements();
    }

    public boolean contains(Object element) {
        return indexOf(element) >= 0;
    }

    public int indexOf(Object element) {
        return indexOf(element, 0);
    }

    public synchronized int indexOf(Object element, int from) {
        for (int i = from; i < count; i++) {
            if (element == null ? data[i] == null : element.equals(data[i])) {
                return i;
            }
        }
        return -1;
    }

    public synchronized int lastIndexOf(Object element) {
        return lastIndexOf(element, count - 1);
    }

    public synchronized int lastIndexOf(Object element, int from) {
        if (from >= count) {
            throw new IndexOutOfBoundsException(from + " of " + count);
        }
        for (int i = from; i >= 0; i--) {
            if (element == null ? data[i] == null : element.equals(data[i])) {
                return i;
            }
        }
        return -1;
    }

    public synchronized Object elementAt(int index) {
        checkElement(index);
        return data[index];
    }

    public synchronized Object firstElement() {
        if (count == 0) {
            throw new NoSuchElementException();
        }
        return data[0];
    }

    public synchronized Object lastElement() {
        if (count == 0) {
            throw new NoSuchElementException();
        }
        return data[count - 1];
    }

    public synchronized void setElementAt(Object element, int index) {
        checkElement(index);
        data[index] = element;
    }

    public synchronized void removeElementAt(int index) {
        checkElement(index);
        close(index, 1);
    }

    public synchronized void insertElementAt(Object element, int index) {
        checkPlace(index);
        open(index, 1);
        data[index] = element;
    }

    public synchronized void addElement(Object element) {
        makeRoom(count + 1);
        data[count++] = element;
    }

    public synchronized boolean removeElement(Object element) {
        int index = indexOf(element);
        if (index < 0) {
            return false;
        }
        close(index, 1);
        return true;
    }

    public synchronized void removeAllElements() {
        close(0, count);
    }

    @Override
    public synchronized Object clone() {
        try {
            Vector copy = (Vector) super.clone();
            copy.data = Arrays.copyOf(data, count);
            return copy;
        } catch (CloneNotSupportedException impossible) {
            throw new AssertionError(impossible);
        }
    }

    public synchronized Object[] toArray() {
        return Arrays.copyOf(data, count);
    }

    public synchronized Object[] toArray(Object[] into) {
        if (into.length < count) {
            return Arrays.copyOf(data, count, into.getClass());
        }
        System.arraycopy(data, 0, into, 0, count);
        if (into.length > count) {
            into[count] = null;
        }
        return into;
    }

    public synchronized Object get(int index) {
        checkElement(index);
        return data[index];
    }

    public synchronized Object set(int index, Object element) {
        checkElement(index);
        Object old = data[index];
        data[index] = element;
        return old;
    }

    public synchronized boolean add(Object element) {
        addElement(element);
        return true;
    }

    public boolean remove(Object element) {
        return removeElement(element);
    }

    public void add(int index, Object element) {
        insertElementAt(element, index);
    }

    public synchronized Object remove(int index) {
        checkElement(index);
        Object old = data[index];
        close(index, 1);
        return old;
    }

    public void clear() {
        removeAllElements();
    }

    // Bulk methods copy the other vector before they take their own lock.

    public boolean containsAll(Vector other) {
        Vector wanted = new Vector(other);
        synchronized (this) {
            for (int i = 0; i < wanted.count; i++) {
                if (indexOf(wanted.data[i]) < 0) {
                    return false;
                }
            }
            return true;
        }
    }

    public boolean addAll(Vector other) {
        Vector added = new Vector(other);
        synchronized (this) {
            insert(count, added.data, added.count);
            return added.count > 0;
        }
    }

    public boolean removeAll(Vector other) {
        return keepThose(new Vector(other), false);
    }

    public boolean retainAll(Vector other) {
        return keepThose(new Vector(other), true);
    }

    private synchronized boolean keepThose(Vector named, boolean kept) {
        int next = 0;
        for (int i = 0; i < count; i++) {
            if ((named.indexOf(data[i]) >= 0) == kept) {
                data[next++] = data[i];
            }
        }
        boolean changed = next < count;
        Arrays.fill(data, next, count, null);
        count = next;
        return changed;
    }

    public boolean addAll(int index, Vector other) {
        List<Object> added = new ArrayList<>();
        for (Enumeration<Object> all = other.elements(); all.hasMoreElements(); ) {
            added.add(all.nextElement());
        }
        synchronized (this) {
            checkPlace(index);
            insert(index, added.toArray(), added.size());
            return !added.isEmpty();
        }
    }

    private void insert(int index, Object[] added, int width) {
        open(index, width);
        System.arraycopy(added, 0, data, index, width);
    }

    @Override
    public boolean equals(Object other) {
        return other == this || other instanceof Vector && Arrays.equals(toArray(), ((Vector) other).toArray());
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(toArray());
    }

    @Override
    public String toString() {
        return Arrays.toString(toArray());
    }

    // These three look at a copy.

    public List<Object> subList(int from, int to) {
        return Collections.unmodifiableList(Arrays.asList(toArray()).subList(from, to));
    }

    public Iterator<Object> iterator() {
        return listIterator(0);
    }

    public ListIterator<Object> listIterator() {
        return listIterator(0);
    }

    public ListIterator<Object> listIterator(int from) {
        return Collections.unmodifiableList(Arrays.asList(toArray())).listIterator(from);
    }

    public synchronized void removeRange(int from, int to) {
        checkPlace(from);
        checkPlace(to);
        if (from < to) {
            close(from, to - from);
        }
    }

    private final class Elements implements Enumeration<Object> {
        private int next;

        @Override
        public boolean hasMoreElements() {
            return next < count;
        }

        @Override
        public Object nextElement() {
            synchronized (Vector.this) {
                if (next < count) {
                    return data[next++];
                }
            }
            throw new NoSuchElementException();
        }
    }
}
