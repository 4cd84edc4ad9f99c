package raddle.maven;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RaddleMojoTest {
    @TempDir
    Path folder;

    @Test
    void everyPackageWithClassesIsAPattern() throws IOException {
        for (String file : List.of("com/acme/Cache.class", "com/acme/Other.class", "com/acme/io/File.class",
                "META-INF/notes.txt")) {
            Path path = folder.resolve(file);
            Files.createDirectories(path.getParent());
            Files.createFile(path);
        }
        assertEquals(List.of("com.acme.*", "com.acme.io.*"), RaddleMojo.packages(folder.toFile(), file -> true));
        assertEquals(List.of("com.acme.io.*"),
                RaddleMojo.packages(folder.toFile(), file -> file.endsWith("File.class")));
    }

    @Test
    void aProjectWithoutClassesHasNoPatterns() throws IOException {
        assertEquals(List.of(), RaddleMojo.packages(folder.resolve("classes").toFile(), file -> true));
    }
}
