/*
 * Subject S23, stands for java.util.Vector of JDK 1.1.7. 24 public methods.
 *
 * Pattern: lastIndexOf(Object) reads the count without the lock and gives count - 1 to a synchronized overload that
 *          indexes the array without looking at the count again.
 * Pair:    lastIndexOf(o) ∥ (removeAllElements(); trimToSize()), two calls in a thread; or setSize(0) for the first.
 *          Also lastIndexOf(o) ∥ insertElementAt(x, 0) with o the last element.
 * Shows:   ArrayIndexOutOfBoundsException, where every order gives an index or -1. The second pair throws nothing and
 *          returns -1, though o is in the vector all the time.
 */
package standin.s23;

import java.util.Arrays;
import java.util.Enumeration;
import java.util.NoSuchElementException;

/** A list in an array that grows. */
public class Vector implements Cloneable {
    private Object[] data;
    private int count;

    public Vector() {
        this(10);
    }

    public Vector(int capacity) {
        data = new Object[capacity];
    }

    private void checkElement(int index) {
        if (index < 0 || index >= count) {
            throw new ArrayIndexOutOfBoundsException(index + " of " + count);
        }
    }

    private void resize(int length) {
        Object[] old = data;
        data = new Object[length];
        System.arraycopy(old, 0, data, 0, count);
    }

    private void makeRoom(int wanted) {
        if (wanted > data.length) {
            resize(Math.max(wanted, 2 * data.length));
        }
    }

    public final synchronized void copyInto(Object[] into) {
        System.arraycopy(data, 0, into, 0, count);
    }

    public final synchronized void trimToSize() {
        if (count < data.length) {
            resize(count);
        }
    }

    public final synchronized void ensureCapacity(int capacity) {
        makeRoom(capacity);
    }

    public final synchronized void setSize(int size) {
        if (size < 0) {
            throw new ArrayIndexOutOfBoundsException(size);
        }
        makeRoom(size);
        for (int i = size; i < count; i++) {
            data[i] = null;
        }
        count = size;
    }

    public final int capacity() {
        return data.length;
    }

    public final int size() {
        return count;
    }

    public final boolean isEmpty() {
        return count == 0;
    }

    public final synchronized Enumeration<Object> elements() {
        return new Elements();
    }

    public final boolean contains(Object element) {
        return indexOf(element, 0) >= 0;
    }

    public final int indexOf(Object element) {
        return indexOf(element, 0);
    }

    public final synchronized int indexOf(Object element, int from) {
        for (int i = from; i < count; i++) {
            if (element.equals(data[i])) {
                return i;
            }
        }
        return -1;
    }

    public final int lastIndexOf(Object element) {
        return lastIndexOf(element, count - 1);
    }

    public final synchronized int lastIndexOf(Object element, int from) {
        for (int i = from; i >= 0; i--) {
            if (element.equals(data[i])) {
                return i;
            }
        }
        return -1;
    }

    public final synchronized Object elementAt(int index) {
        checkElement(index);
        return data[index];
    }

    public final synchronized Object firstElement() {
        if (count == 0) {
            throw new NoSuchElementException();
        }
        return data[0];
    }

    public final synchronized Object lastElement() {
        if (count == 0) {
            throw new NoSuchElementException();
        }
        return data[count - 1];
    }

    public final synchronized void setElementAt(Object element, int index) {
        checkElement(index);
        data[index] = element;
    }

    public final synchronized void removeElementAt(int index) {
        checkElement(index);
        System.arraycopy(data, index + 1, data, index, count - index - 1);
        data[--count] = null;
    }

    public final synchronized void insertElementAt(Object element, int index) {
        if (index < 0 || index > count) {
            throw new ArrayIndexOutOfBoundsException(index + " of " + count);
        }
        makeRoom(count + 1);
        System.arraycopy(data, index, data, index + 1, count - index);
        data[index] = element;
        count++;
    }

    public final synchronized void addElement(Object element) {
        makeRoom(count + 1);
        data[count++] = element;
    }

    public final synchronized boolean removeElement(Object element) {
        int index = indexOf(element, 0);
        if (index < 0) {
            return false;
        }
        removeElementAt(index);
        return true;
    }

    public final synchronized void removeAllElements() {
        setSize(0);
    }

    @Override
    public synchronized Object clone() {
        try {
            Vector copy = (Vector) super.clone();
            copy.resize(data.length);
            return copy;
        } catch (CloneNotSupportedException impossible) {
            throw new AssertionError(impossible);
        }
    }

    @Override
    public final String toString() {
        // Elements are asked without the lock: they may be vectors, and hold this one.
        Object[] elements;
        synchronized (this) {
            elements = new Object[count];
            copyInto(elements);
        }
        return Arrays.toString(elements);
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
