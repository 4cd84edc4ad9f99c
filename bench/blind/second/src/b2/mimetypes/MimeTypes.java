package b2.mimetypes;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The media types of file names. There is one instance, created when it is used first.
 *
 * <p>Immutable and thread-safe.
 */
public final class MimeTypes {
    private static final class Holder {
        static final MimeTypes INSTANCE = new MimeTypes();
    }

    private final Map<String, String> types = new HashMap<>();

    private MimeTypes() {
        types.put("txt", "text/plain");
        types.put("html", "text/html");
        types.put("json", "application/json");
        types.put("png", "image/png");
        types.put("xml", "application/xml");
    }

    /** Returns the instance. */
    public static MimeTypes instance() {
        return Holder.INSTANCE;
    }

    /** Returns the media type of a file name, or "application/octet-stream" if it is unknown. */
    public String of(String fileName) {
        int dot = fileName.lastIndexOf('.');
        String extension = fileName.substring(dot + 1).toLowerCase(Locale.ROOT);
        return types.getOrDefault(extension, "application/octet-stream");
    }

    /** Tells whether the extension is known. */
    public boolean isKnown(String extension) {
        return types.containsKey(extension.toLowerCase(Locale.ROOT));
    }

    /** Returns the known extensions in alphabetical order, as a new set. */
    public Set<String> extensions() {
        return new TreeSet<>(types.keySet());
    }
}
