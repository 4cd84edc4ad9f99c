package raddle.process;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.stream.Collectors;

/** The class path of a JVM, with everything that its jars refer to. */
public final class ClassPath {
    /**
     * In the order in which they matter. Surefire starts JVMs with a jar that has nothing but a manifest, and says in a
     * property of its own what the tests see.
     */
    private static final String[] PROPERTIES = {"surefire.test.class.path", "java.class.path", "jdk.module.path"};

    private final Set<Path> entries = new LinkedHashSet<>();

    private ClassPath() {
    }

    /** That of the JVM that this runs in, and the places that the classes come from. */
    public static ClassPath ofThisJvm(Class<?>... classes) {
        ClassPath all = of(System::getProperty);
        for (Class<?> type : classes) {
            all.addSource(type);
        }
        return all;
    }

    static ClassPath of(UnaryOperator<String> properties) {
        ClassPath all = new ClassPath();
        for (String property : PROPERTIES) {
            String value = properties.apply(property);
            if (value != null) {
                for (String entry : value.split(File.pathSeparator)) {
                    all.add(entry);
                }
            }
        }
        return all;
    }

    public static ClassPath of(Collection<String> entries) {
        ClassPath all = new ClassPath();
        entries.forEach(all::add);
        return all;
    }

    private void add(String entry) {
        if (!entry.isBlank()) {
            add(Path.of(entry));
        }
    }

    /** What is not there is left out, as Java does; builds list folders before anything is in them. */
    private void add(Path entry) {
        Path path = entry.toAbsolutePath().normalize();
        if (!Files.exists(path) || !entries.add(path) || Files.isDirectory(path)) {
            return;
        }
        try (JarFile jar = new JarFile(path.toFile())) {
            Manifest manifest = jar.getManifest();
            String more = manifest == null ? null : manifest.getMainAttributes().getValue(Attributes.Name.CLASS_PATH);
            if (more == null) {
                return;
            }
            for (String reference : more.trim().split(" +")) {
                URI uri = path.toUri().resolve(new URI(reference));
                if ("file".equals(uri.getScheme())) {
                    add(Path.of(uri));
                }
            }
            if (isOnlyManifest(jar)) {
                entries.remove(path);
            }
        } catch (IOException e) {
            // Java passes over what is no jar.
            entries.remove(path);
        } catch (URISyntaxException | IllegalArgumentException | FileSystemNotFoundException e) {
            // A reference that nobody can follow. The jar itself may be all right.
        }
    }

    /** Such jars are made for command lines that would be too long, and are gone when the JVM is. */
    private static boolean isOnlyManifest(JarFile jar) {
        return jar.stream().allMatch(entry -> entry.isDirectory() || entry.getName().equals(JarFile.MANIFEST_NAME));
    }

    /** Of a class in a module, which no property may tell about. */
    private void addSource(Class<?> type) {
        CodeSource source = type.getProtectionDomain().getCodeSource();
        if (source == null || source.getLocation() == null) {
            return;
        }
        try {
            URI uri = source.getLocation().toURI();
            if ("file".equals(uri.getScheme())) {
                add(Path.of(uri));
            }
        } catch (URISyntaxException | InvalidPathException e) {
            // The class is found elsewhere, or Raddle says that it is not.
        }
    }

    /** As a command line has it. */
    @Override
    public String toString() {
        return entries.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
    }
}
