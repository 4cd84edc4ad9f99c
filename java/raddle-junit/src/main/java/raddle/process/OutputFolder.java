package raddle.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Where reports and recordings go. */
public final class OutputFolder {
    /** The system property that names it. */
    public static final String PROPERTY = "raddle.output";

    private OutputFolder() {
    }

    /**
     * The one that the property names, or one in the folder that Maven or Gradle builds into, or a temporary one.
     * Relative where it can be, since people type what Raddle tells them.
     */
    public static Path find() {
        String named = System.getProperty(PROPERTY);
        if (named != null && !named.isBlank()) {
            return Path.of(named);
        }
        for (String build : new String[] {"target", "build"}) {
            if (Files.isDirectory(Path.of(build))) {
                return Path.of(build, "raddle");
            }
        }
        try {
            return Files.createTempDirectory("raddle");
        } catch (IOException e) {
            throw new RaddleException("there is no folder for reports: " + e.getMessage(), e);
        }
    }
}
