package raddle.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClassPathTest {
    @TempDir
    Path folder;

    private Path directory(String name) throws IOException {
        return Files.createDirectories(folder.resolve(name));
    }

    /** A jar that refers to others, with a file in it unless it is there for that alone. */
    private Path jar(String name, String references, boolean hasContent) throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        if (references != null) {
            manifest.getMainAttributes().put(Attributes.Name.CLASS_PATH, references);
        }
        Path path = folder.resolve(name);
        try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(path), manifest)) {
            if (hasContent) {
                jar.putNextEntry(new JarEntry("some.txt"));
                jar.closeEntry();
            }
        }
        return path;
    }

    private static String of(Map<String, String> properties) {
        return ClassPath.of(properties::get).toString();
    }

    private static String joined(Path... paths) {
        return String.join(File.pathSeparator, List.of(paths).stream().map(Path::toString).toList());
    }

    @Test
    void aJarWithNothingButAManifestStandsForWhatItRefersTo() throws IOException {
        Path classes = directory("classes with blanks");
        Path library = jar("library.jar", null, true);
        Path booter = jar("surefirebooter.jar", classes.toUri() + " library.jar", false);
        assertEquals(joined(classes, library), of(Map.of("java.class.path", booter.toString())));
    }

    @Test
    void jarsThatReferToEachOtherAreListedOnce() throws IOException {
        Path first = jar("first.jar", "second.jar first.jar", true);
        Path second = jar("second.jar", "first.jar missing.jar", true);
        assertEquals(joined(first, second), of(Map.of("java.class.path", first.toString())));
    }

    @Test
    void whatSurefireSaysComesFirstAndModulesComeLast() throws IOException {
        Path tests = directory("test-classes");
        Path launcher = jar("launcher.jar", null, true);
        Path module = jar("module.jar", null, true);
        assertEquals(joined(tests, launcher, module), of(Map.of(
                "surefire.test.class.path", tests.toString(),
                "java.class.path", joined(launcher, tests),
                "jdk.module.path", module.toString())));
    }

    @Test
    void whatIsNotThereOrNoJarIsLeftOut() throws IOException {
        Path classes = directory("classes");
        Path noJar = Files.writeString(folder.resolve("notes.txt"), "no jar");
        assertEquals(joined(classes),
                ClassPath.of(List.of(folder.resolve("gone").toString(), noJar.toString(), classes.toString(), ""))
                        .toString());
    }

    @Test
    void theClassesOfThisTestAreOnThePathOfThisJvm() throws Exception {
        Path source = Path.of(ClassPathTest.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        List<String> entries = List.of(ClassPath.ofThisJvm(ClassPathTest.class).toString().split(File.pathSeparator));
        assertTrue(entries.contains(source.toString()), entries.toString());
        assertTrue(entries.stream().anyMatch(entry -> entry.contains("junit-jupiter-api")), entries.toString());
    }
}
