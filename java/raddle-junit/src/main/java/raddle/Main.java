package raddle;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import raddle.process.ClassPath;
import raddle.process.Executable;
import raddle.process.RaddleException;

/**
 * The executable as a Java program: for builds that know how to start one of those, and for those who have it in the
 * jar only. Commands that look at classes get the class path and the JDK of this JVM, unless the command line has some.
 */
public final class Main {
    private static final Set<String> LOOK_AT_CLASSES = Set.of("analyze", "hunt", "suite", "test");
    /** The exit code for bad input, as the executable has it. */
    private static final int BAD_INPUT = 2;

    private Main() {
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        System.exit(run(arguments));
    }

    private static int run(String[] arguments) throws IOException, InterruptedException {
        try {
            Optional<Path> executable = Executable.find();
            if (executable.isEmpty()) {
                System.err.println("error: " + Executable.missing());
                return BAD_INPUT;
            }
            List<String> words = new ArrayList<>(List.of(executable.get().toString()));
            words.addAll(completed(List.of(arguments)));
            return new ProcessBuilder(words).inheritIO().start().waitFor();
        } catch (RaddleException e) {
            System.err.println("error: " + e.getMessage());
            return BAD_INPUT;
        }
    }

    static List<String> completed(List<String> arguments) {
        List<String> all = new ArrayList<>(arguments);
        if (arguments.isEmpty() || !LOOK_AT_CLASSES.contains(arguments.get(0))) {
            return all;
        }
        if (!has(arguments, "-cp", "--cp", "--class-path")) {
            all.addAll(1, List.of("--class-path", ClassPath.ofThisJvm().toString()));
        }
        if (!has(arguments, "--jdk")) {
            all.addAll(1, List.of("--jdk", System.getProperty("java.home")));
        }
        return all;
    }

    private static boolean has(List<String> arguments, String... names) {
        return arguments.stream().anyMatch(
                word -> Stream.of(names).anyMatch(name -> word.equals(name) || word.startsWith(name + "=")));
    }
}
