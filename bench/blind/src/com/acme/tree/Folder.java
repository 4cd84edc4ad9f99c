package com.acme.tree;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * A folder in an in-memory file system. Folders are made with {@link #root}
 * and {@link #mkdir}. Each folder guards its content with its own lock; all
 * methods may be called from any thread.
 */
public final class Folder {

    private final String name;
    private final Folder parent;
    private final Map<String, Folder> children = new LinkedHashMap<>();
    private long ownBytes;
    private long modifications;

    Folder(String name, Folder parent) {
        this.name = Objects.requireNonNull(name);
        this.parent = parent;
    }

    /** Makes a folder without a parent. */
    public static Folder root() {
        return new Folder("", null);
    }

    /** Makes a folder in this one or returns the one there is. */
    public synchronized Folder mkdir(String child) {
        Folder f = children.get(child);
        if (f == null) {
            f = new Folder(child, this);
            children.put(child, f);
            modifications++;
        }
        return f;
    }

    /** Writes data to a file in this folder; all parents note the change. */
    public synchronized void write(long bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException("bytes: " + bytes);
        }
        ownBytes += bytes;
        modified();
    }

    private synchronized void modified() {
        modifications++;
        if (parent != null) {
            parent.modified();
        }
    }

    /** Bytes in this folder and all below it. */
    public synchronized long totalBytes() {
        long sum = ownBytes;
        for (Folder f : children.values()) {
            sum += f.totalBytes();
        }
        return sum;
    }

    /** Changes of this folder and all below it since it was made. */
    public synchronized long modifications() {
        return modifications;
    }

    /** Number of folders directly in this one. */
    public synchronized int childCount() {
        return children.size();
    }

    /** Path from the root with slashes. */
    public String path() {
        return parent == null ? "/" : parent.parent == null
                ? "/" + name : parent.path() + "/" + name;
    }
}
