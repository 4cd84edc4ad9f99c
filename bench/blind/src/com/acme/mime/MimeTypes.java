package com.acme.mime;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Maps file name extensions to media types. The table is made when it is
 * first needed, since most requests never ask for it.
 *
 * <p>Instances may be shared between threads.
 */
public class MimeTypes {

    /** Type of files with an unknown extension. */
    public static final String DEFAULT = "application/octet-stream";

    private volatile Map<String, String> table;

    private Map<String, String> table() {
        if (table == null) {
            synchronized (this) {
                if (table == null) {
                    table = new HashMap<>();
                    table.put("html", "text/html");
                    table.put("txt", "text/plain");
                    table.put("css", "text/css");
                    table.put("js", "text/javascript");
                    table.put("json", "application/json");
                    table.put("png", "image/png");
                    table.put("svg", "image/svg+xml");
                }
            }
        }
        return table;
    }

    /**
     * The media type of an extension.
     *
     * @param extension with or without a leading dot, in any case
     */
    public String lookup(String extension) {
        String e = extension.startsWith(".") ? extension.substring(1) : extension;
        return table().getOrDefault(e.toLowerCase(Locale.ROOT), DEFAULT);
    }

    /** The media type of a file by its name. */
    public String typeOf(String fileName) {
        int dot = fileName.lastIndexOf('.');
        return dot < 0 ? DEFAULT : lookup(fileName.substring(dot + 1));
    }

    /** Number of known extensions. */
    public int size() {
        return table().size();
    }
}
