package raddle.junit;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import raddle.process.ClassPath;
import raddle.process.Command;
import raddle.process.OutputFolder;

/** A hunt that was not begun yet. */
public final class Hunt {
    private final Class<?>[] classes;
    private final List<String> options = new ArrayList<>();
    private boolean acceptsInconclusive;

    Hunt(Class<?> type, Class<?>... more) {
        classes = Stream.concat(Stream.of(type), Arrays.stream(more)).toArray(Class<?>[]::new);
    }

    /** How long each class is hunted: {@code 500ms}, {@code 30s}, {@code 5m}; a minute if nothing is said. */
    public Hunt budget(String time) {
        return option("--budget", time);
    }

    /** Leaves a class after so many tests, so that the answer does not depend on how fast the machine is. */
    public Hunt maxPlans(int plans) {
        return option("--max-plans", Integer.toString(plans));
    }

    /** Looks for these kinds only, of {@code exception, deadlock, lost-wakeup, livelock, result}. */
    public Hunt kinds(String... kinds) {
        return option("--kinds", String.join(",", kinds));
    }

    /** Begins with tests of these classes, which are read and not run. */
    public Hunt seeds(Class<?>... tests) {
        return option("--from-tests", Arrays.stream(tests).map(Class::getName).collect(Collectors.joining(",")));
    }

    /** Any other option of {@code raddle hunt}, with its value if it has one. */
    public Hunt option(String... words) {
        options.addAll(List.of(words));
        return this;
    }

    /** Takes it as good enough that nothing was found, although too little was covered to say that there is nothing. */
    public Hunt acceptInconclusive() {
        acceptsInconclusive = true;
        return this;
    }

    /** Hunts, and fails with what was found. */
    public void assertThreadSafe() {
        // A folder of its own, since hunts that go on at the same time would write over each other's files.
        Path folder = OutputFolder.find().resolve("hunt-" + classes[0].getName());
        Command command = new Command(Verdict.executable(), "hunt")
                .classPath(ClassPath.ofThisJvm(classes))
                .jdkOfThisJvm()
                .with("--out", folder.toString())
                .with(options.toArray(String[]::new));
        for (Class<?> type : classes) {
            command.with(type.getName());
        }
        Verdict.check(command.run(folder.resolve("report.txt"), line -> { }), acceptsInconclusive);
    }
}
