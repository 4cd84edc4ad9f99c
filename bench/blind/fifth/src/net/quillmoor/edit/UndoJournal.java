package net.quillmoor.edit;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The edits made to a document, so that they can be undone in reverse order.
 *
 * <p>The journal is thread-safe; all access to the edits is guarded by one lock. Edits are undone
 * while the lock is held and must not call back into the journal from another thread.
 */
public final class UndoJournal {

    /** A change that can be taken back. */
    public interface Edit {
        /** Describes the change to the user. */
        String label();

        /** Takes the change back. */
        void undo();
    }

    private final ReentrantLock lock = new ReentrantLock();
    private final List<Edit> edits = new ArrayList<>();
    private final int limit;

    /**
     * Creates an empty journal.
     *
     * @param limit the number of edits to keep, positive; the oldest ones are forgotten
     */
    public UndoJournal(int limit) {
        if (limit < 1) {
            throw new IllegalArgumentException("limit: " + limit);
        }
        this.limit = limit;
    }

    /** Adds an edit that has just been made. */
    public void record(Edit edit) {
        Objects.requireNonNull(edit, "edit");
        lock.lock();
        try {
            if (edits.size() == limit) {
                edits.remove(0);
            }
            edits.add(edit);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Undoes the latest edit.
     *
     * @return false if there is none
     */
    public boolean undo() {
        lock.lock();
        try {
            if (edits.isEmpty()) {
                return false;
            }
            edits.remove(edits.size() - 1).undo();
            return true;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Returns the edits that can be undone at the time of the call, oldest first. The list cannot be
     * modified.
     */
    public List<Edit> edits() {
        lock.lock();
        try {
            return Collections.unmodifiableList(edits);
        } finally {
            lock.unlock();
        }
    }

    /** Returns the labels of the edits, one per line, the latest first. */
    public String menu() {
        StringBuilder text = new StringBuilder();
        for (Edit edit : edits()) {
            text.insert(0, edit.label() + '\n');
        }
        return text.toString();
    }

    /** Forgets all edits. */
    public void clear() {
        lock.lock();
        try {
            edits.clear();
        } finally {
            lock.unlock();
        }
    }
}
