package raddle.process;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExecutableTest {
    /** No system that the jar has a program for. */
    private static final Map<String, String> ELSEWHERE = Map.of("os.name", "Plan 9", "os.arch", "mips");

    @TempDir
    Path folder;
    private Path named;
    private Path other;

    @BeforeEach
    void makePrograms() throws IOException {
        named = FakeRaddle.make(Files.createDirectory(folder.resolve("named")), 0);
        other = FakeRaddle.make(Files.createDirectory(folder.resolve("other")), 0);
    }

    private static Optional<Path> find(String property, Map<String, String> environment) {
        return Executable.find(
                name -> name.equals(Executable.PROPERTY) ? property : ELSEWHERE.get(name), environment::get);
    }

    @Test
    void thePropertyGoesBeforeTheVariable() {
        assertEquals(Optional.of(named), find(named.toString(), Map.of("RADDLE", other.toString())));
    }

    @Test
    void theVariableGoesBeforeThePath() {
        Map<String, String> environment = Map.of("RADDLE", named.toString(), "PATH", other.getParent().toString());
        assertEquals(Optional.of(named), find(null, environment));
    }

    @Test
    void thePathIsSearchedInOrder() {
        String path = String.join(File.pathSeparator, folder.toString(), named.getParent().toString(),
                other.getParent().toString());
        assertEquals(Optional.of(named), find(null, Map.of("PATH", path)));
    }

    @Test
    void aSystemWithoutOneIsToldWhatToDo() {
        assertEquals(Optional.empty(), find(null, Map.of()));
        assertTrue(Executable.missing().contains("raddle.executable"));
    }

    @Test
    void oneThatIsNamedAndNotThereIsAnError() {
        String missing = folder.resolve("missing").toString();
        RaddleException error =
                assertThrows(RaddleException.class, () -> find(missing, Map.of("RADDLE", other.toString())));
        assertTrue(error.getMessage().contains(missing), error.getMessage());
    }

    @Test
    void theSameProgramIsUnpackedOnceAndADamagedOneAnew() throws IOException {
        byte[] content = "#!/bin/sh\n".getBytes(StandardCharsets.UTF_8);
        Path first = Executable.unpack(new ByteArrayInputStream(content), folder.resolve("cache"));
        assertTrue(Files.isExecutable(first));
        Object key = Files.readAttributes(first, BasicFileAttributes.class).fileKey();
        assertEquals(first, Executable.unpack(new ByteArrayInputStream(content), folder.resolve("cache")));
        assertEquals(key, Files.readAttributes(first, BasicFileAttributes.class).fileKey());

        Files.writeString(first, "damaged");
        assertEquals(first, Executable.unpack(new ByteArrayInputStream(content), folder.resolve("cache")));
        assertArrayEquals(content, Files.readAllBytes(first));
        try (var left = Files.list(folder.resolve("cache"))) {
            assertEquals(1, left.count(), "nothing else is left behind");
        }
    }
}
