package app.editor;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A text that several people edit at the same time, with undo.
 *
 * <p>Thread-safe; every method is atomic. Each change yields a new revision. An editor names the
 * revision its change is based on, and the change is refused if the text has been changed since. A
 * refused change, or one with a position outside of the text, leaves the document as it was.
 */
public class SharedDocument {
    private static final int MAX_UNDO = 100;

    private final ReentrantLock lock = new ReentrantLock();
    private final Deque<String> history = new ArrayDeque<>();
    private String text;
    private int revision;

    public SharedDocument(String text) {
        this.text = Objects.requireNonNull(text);
    }

    /**
     * Inserts a piece of text.
     *
     * @return the new revision, or -1 if the text has been changed since the base revision
     * @throws IndexOutOfBoundsException if the position is outside of the text
     */
    public int insert(int base, int position, String piece) {
        Objects.requireNonNull(piece);
        lock.lock();
        try {
            if (base != revision) {
                return -1;
            }
            Objects.checkIndex(position, text.length() + 1);
            return change(text.substring(0, position) + piece + text.substring(position));
        } finally {
            lock.unlock();
        }
    }

    /**
     * Deletes the text between two positions.
     *
     * @return the new revision, or -1 if the text has been changed since the base revision
     * @throws IndexOutOfBoundsException if a position is outside of the text
     */
    public int delete(int base, int from, int to) {
        lock.lock();
        if (base != revision) {
            lock.unlock();
            return -1;
        }
        Objects.checkFromToIndex(from, to, text.length());
        try {
            return change(text.substring(0, from) + text.substring(to));
        } finally {
            lock.unlock();
        }
    }

    /** Takes the last change back, which is a new revision; returns whether there was one. */
    public boolean undo() {
        lock.lock();
        try {
            String previous = history.pollLast();
            if (previous == null) {
                return false;
            }
            text = previous;
            revision++;
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Returns the text. */
    public String text() {
        lock.lock();
        try {
            return text;
        } finally {
            lock.unlock();
        }
    }

    /** Returns the number of the current revision, 0 at first. */
    public int revision() {
        lock.lock();
        try {
            return revision;
        } finally {
            lock.unlock();
        }
    }

    private int change(String changed) {
        history.addLast(text);
        if (history.size() > MAX_UNDO) {
            history.removeFirst();
        }
        text = changed;
        return ++revision;
    }
}
