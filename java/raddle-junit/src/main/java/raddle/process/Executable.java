package raddle.process;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Where the program {@code raddle} is. */
public final class Executable {
    /** The system property that names it. */
    public static final String PROPERTY = "raddle.executable";
    /** The environment variable that names it. */
    public static final String VARIABLE = "RADDLE";

    private static final String NAME = "raddle";
    /** Not below the package, so that whoever makes the jar need not know about it. */
    private static final String BUNDLED = "/raddle/linux-x86_64/raddle";

    /** The one of the jar, once it was unpacked: to do so for every test would take longer than some of them. */
    private static Path unpacked;

    private final UnaryOperator<String> properties;
    private final UnaryOperator<String> environment;

    private Executable(UnaryOperator<String> properties, UnaryOperator<String> environment) {
        this.properties = properties;
        this.environment = environment;
    }

    /**
     * The program that the property names, or else the variable, or else the one in this jar, or else the one on
     * {@code PATH}.
     *
     * @throws RaddleException if one is named and is not there: to take another one would hide the mistake
     */
    public static Optional<Path> find() {
        return find(System::getProperty, System::getenv);
    }

    static Optional<Path> find(UnaryOperator<String> properties, UnaryOperator<String> environment) {
        Executable executable = new Executable(properties, environment);
        return executable.named("the system property " + PROPERTY, properties.apply(PROPERTY))
                .or(() -> executable.named("the environment variable " + VARIABLE, environment.apply(VARIABLE)))
                .or(executable::bundled)
                .or(executable::onPath);
    }

    /** A sentence for those who have none. */
    public static String missing() {
        return "there is no raddle executable: name it with the system property " + PROPERTY
                + " or the environment variable " + VARIABLE + ", or put it on PATH";
    }

    private Optional<Path> named(String by, String name) {
        if (name == null || name.isBlank()) {
            return Optional.empty();
        }
        Path path = Path.of(name);
        if (!isProgram(path)) {
            throw new RaddleException(by + " names " + name + ", which is no program that can be run");
        }
        return Optional.of(path.toAbsolutePath());
    }

    private Optional<Path> bundled() {
        String system = properties.apply("os.name") + " " + properties.apply("os.arch");
        if (!system.toLowerCase(Locale.ROOT).matches("linux (amd64|x86_64)")) {
            return Optional.empty();
        }
        try (InputStream bundled = Executable.class.getResourceAsStream(BUNDLED)) {
            if (bundled == null) {
                return Optional.empty();
            }
            synchronized (Executable.class) {
                if (unpacked == null || !isProgram(unpacked)) {
                    unpacked = unpack(bundled, cache());
                }
                return Optional.of(unpacked);
            }
        } catch (IOException e) {
            throw new RaddleException("the executable in the jar of Raddle cannot be unpacked: " + e, e);
        }
    }

    /** A folder of the user: one in a folder for temporary files could be prepared by somebody else. */
    private Path cache() {
        String cache = environment.apply("XDG_CACHE_HOME");
        boolean isNamed = cache != null && !cache.isBlank();
        Path base = isNamed ? Path.of(cache) : Path.of(properties.apply("user.home"), ".cache");
        return base.resolve("raddle").resolve("executables");
    }

    /** Puts a program into a folder that is named for its content, unless it is there. */
    static Path unpack(InputStream program, Path cache) throws IOException {
        Files.createDirectories(cache);
        Path fresh = Files.createTempFile(cache, NAME, ".new");
        try {
            MessageDigest digest = sha256();
            try (DigestInputStream counted = new DigestInputStream(program, digest)) {
                Files.copy(counted, fresh, StandardCopyOption.REPLACE_EXISTING);
            }
            Path folder = cache.resolve(HexFormat.of().formatHex(digest.digest()));
            Path target = folder.resolve(NAME);
            if (isProgram(target) && Files.mismatch(fresh, target) == -1) {
                return target;
            }
            Files.createDirectories(folder);
            if (!fresh.toFile().setExecutable(true, true)) {
                throw new IOException(fresh + " cannot be made executable");
            }
            // In one step, since another JVM may be about to start it.
            Files.move(fresh, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            return target;
        } finally {
            Files.deleteIfExists(fresh);
        }
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    private Optional<Path> onPath() {
        String path = environment.apply("PATH");
        if (path == null) {
            return Optional.empty();
        }
        for (String folder : path.split(File.pathSeparator)) {
            Path candidate = Path.of(folder, NAME);
            if (!folder.isEmpty() && isProgram(candidate)) {
                return Optional.of(candidate.toAbsolutePath());
            }
        }
        return Optional.empty();
    }

    private static boolean isProgram(Path path) {
        return Files.isRegularFile(path) && Files.isExecutable(path);
    }
}
