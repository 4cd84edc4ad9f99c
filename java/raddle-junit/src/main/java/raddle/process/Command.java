package raddle.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** A command line of the executable. */
public final class Command {
    private final List<String> words = new ArrayList<>();

    public Command(Path executable, String name) {
        words.add(executable.toString());
        words.add(name);
    }

    public Command with(String... more) {
        words.addAll(List.of(more));
        return this;
    }

    public Command classPath(ClassPath path) {
        return path.toString().isEmpty() ? this : with("--class-path", path.toString());
    }

    /** The JDK that this JVM is of, so that code is looked at on what it would have run on. */
    public Command jdkOfThisJvm() {
        return with("--jdk", System.getProperty("java.home"));
    }

    /**
     * Runs it to its end. What it prints is in the file, too, for those who have lost the output of the build.
     *
     * @param file its folder is made
     * @param printed is given every line, as it comes
     */
    public Report run(Path file, Consumer<String> printed) {
        try {
            return start(file, printed);
        } catch (IOException e) {
            throw new RaddleException(words.get(0) + " cannot be run: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RaddleException("interrupted while " + words.get(0) + " was running", e);
        }
    }

    private Report start(Path file, Consumer<String> printed) throws IOException, InterruptedException {
        Files.createDirectories(file.toAbsolutePath().getParent());
        Path complaints = Files.createTempFile("raddle", ".err");
        try {
            Process process = new ProcessBuilder(words).redirectError(complaints.toFile()).start();
            try {
                process.getOutputStream().close();
                StringBuilder text = new StringBuilder();
                try (BufferedReader lines = new BufferedReader(
                                new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
                        Writer copy = Files.newBufferedWriter(file)) {
                    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                        text.append(line).append('\n');
                        copy.append(line).append('\n').flush();
                        printed.accept(line);
                    }
                }
                int exitCode = process.waitFor();
                return new Report(exitCode, text.toString(), Files.readString(complaints));
            } finally {
                process.destroy();
            }
        } finally {
            Files.deleteIfExists(complaints);
        }
    }
}
