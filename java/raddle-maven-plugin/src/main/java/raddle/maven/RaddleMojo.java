package raddle.maven;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.maven.plugin.AbstractMojo;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.Parameter;
import raddle.process.ClassPath;
import raddle.process.Command;
import raddle.process.Executable;
import raddle.process.RaddleException;
import raddle.process.Report;

/** What the goals have in common: each runs a command of the executable and takes its exit code as the answer. */
abstract class RaddleMojo extends AbstractMojo {
    /** The executable. If it is not given, it is found as tests find it. */
    @Parameter(property = Executable.PROPERTY)
    private File executable;

    /** Does nothing. */
    @Parameter(property = "raddle.skip", defaultValue = "false")
    private boolean skip;

    /** Whether the build fails when too little could be looked at to say that there is nothing. */
    @Parameter(property = "raddle.failOnInconclusive", defaultValue = "false")
    private boolean failOnInconclusive;

    /** Where reports and recordings go. */
    @Parameter(property = "raddle.output", defaultValue = "${project.build.directory}/raddle")
    private File outputDirectory;

    /** The JDK that the classes are looked at on. If it is not given, the one that Maven runs on. */
    @Parameter(property = "raddle.jdk", defaultValue = "${java.home}")
    private File jdk;

    /** More options, word by word, as the command of the executable has them. */
    @Parameter
    private List<String> options;

    @Parameter(defaultValue = "${project.testClasspathElements}", readonly = true)
    private List<String> classPath;

    /** The command of the executable, which is also what the report is named for. */
    abstract String command();

    /** What to look at: names of classes or patterns. */
    abstract List<String> targets() throws IOException;

    /** The options that belong to the goal. */
    abstract List<String> ownOptions(Path output);

    /** Whether a report that nothing could be used only says that the project has nothing of the kind. */
    boolean saysThatThereIsNothing(Report report) {
        return false;
    }

    /** Whether a violation is something that the build can do with. */
    boolean forgivesViolations() {
        return false;
    }

    @Override
    public final void execute() throws MojoExecutionException, MojoFailureException {
        if (skip) {
            getLog().info("raddle.skip is set");
            return;
        }
        try {
            List<String> targets = targets();
            if (targets.isEmpty()) {
                getLog().info("there are no classes to look at");
                return;
            }
            Path output = output();
            Path file = output.resolve(command() + ".txt");
            Report report = run(targets, output, file);
            judge(report, file);
        } catch (IOException | UncheckedIOException | RaddleException e) {
            throw new MojoExecutionException(e.getMessage(), e);
        }
    }

    private Report run(List<String> targets, Path output, Path file) {
        return new Command(find(), command())
                .with("--jdk", jdk.toString())
                .classPath(ClassPath.of(classPath))
                .with(ownOptions(output).toArray(String[]::new))
                .with(options == null ? new String[0] : options.toArray(String[]::new))
                .with(targets.toArray(String[]::new))
                .run(file, line -> getLog().info(line));
    }

    private Path find() {
        if (executable == null) {
            return Executable.find().orElseThrow(() -> new RaddleException(Executable.missing()));
        }
        if (!executable.canExecute()) {
            throw new RaddleException(executable + " is no program that can be run; correct " + Executable.PROPERTY);
        }
        return executable.toPath();
    }

    /** Shown as it is seen from where Maven was started, since people type what Raddle tells them. */
    private Path output() {
        Path here = Path.of("").toAbsolutePath();
        Path output = outputDirectory.toPath().toAbsolutePath();
        return output.startsWith(here) ? here.relativize(output) : output;
    }

    private void judge(Report report, Path file) throws MojoExecutionException, MojoFailureException {
        switch (report.outcome()) {
            case NOTHING_FOUND -> { }
            case VIOLATIONS -> {
                String sentence = "Raddle found violations, see above or " + file;
                if (!forgivesViolations()) {
                    throw new MojoFailureException(sentence);
                }
                getLog().warn(sentence);
            }
            case INCONCLUSIVE -> {
                String sentence =
                        "Raddle found nothing, but could not look at enough to say more, see above or " + file;
                report.complaints().lines().forEach(getLog()::warn);
                if (failOnInconclusive) {
                    throw new MojoFailureException(sentence);
                }
                getLog().warn(sentence);
            }
            case BAD_INPUT, BROKEN -> {
                if (!saysThatThereIsNothing(report)) {
                    throw new MojoExecutionException(report.explanation());
                }
                report.complaints().lines().forEach(getLog()::info);
            }
        }
    }

    /** A pattern for every package that has classes of some sort in a folder. */
    static List<String> packages(File classes, Predicate<Path> sort) throws IOException {
        Path root = classes.toPath();
        if (!Files.isDirectory(root)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(root)) {
            return files.filter(file -> file.toString().endsWith(".class"))
                    .filter(sort)
                    .map(file -> root.relativize(file).getParent())
                    .distinct()
                    .map(folder -> folder == null ? "*" : folder.toString().replace(File.separatorChar, '.') + ".*")
                    .sorted()
                    .toList();
        }
    }
}
