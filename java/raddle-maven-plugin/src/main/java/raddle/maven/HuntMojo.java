package raddle.maven;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.apache.maven.plugins.annotations.ResolutionScope;
import raddle.process.Report;

/** Finds out whether threads can break the classes of the project. */
@Mojo(name = "hunt", defaultPhase = LifecyclePhase.VERIFY, requiresDependencyResolution = ResolutionScope.TEST,
        threadSafe = true)
public final class HuntMojo extends RaddleMojo {
    /** For {@link #failOn}: report everything and fail on nothing. */
    private static final String NONE = "none";

    /**
     * Classes to hunt: names, or patterns such as {@code com.acme.**}. If there are none, those classes of the project
     * that look meant to be shared by threads.
     */
    @Parameter(property = "raddle.patterns")
    private List<String> patterns;

    /** How long each class is hunted. */
    @Parameter(property = "raddle.budget", defaultValue = "20s")
    private String budget;

    /** Leaves a class after so many tests, so that the answer does not depend on how fast the machine is. */
    @Parameter(property = "raddle.maxPlans")
    private Integer maxPlans;

    /**
     * Kinds that fail the build: {@code exception}, {@code deadlock}, {@code lost-wakeup}, {@code livelock},
     * {@code result}. Others are not looked for. If there are none, all do; with {@code none}, all are reported and
     * none fails the build.
     */
    @Parameter(property = "raddle.failOn")
    private List<String> failOn;

    @Parameter(defaultValue = "${project.build.outputDirectory}", readonly = true)
    private File classes;

    @Override
    String command() {
        return "hunt";
    }

    @Override
    List<String> targets() throws IOException {
        return isEverything() ? packages(classes, file -> true) : patterns;
    }

    private boolean isEverything() {
        return patterns == null || patterns.isEmpty();
    }

    /** Of a project with many modules, some have no class that threads share. */
    @Override
    boolean saysThatThereIsNothing(Report report) {
        return isEverything() && report.complaints().contains("looks meant to be shared");
    }

    @Override
    List<String> ownOptions(Path output) {
        List<String> own = new ArrayList<>(List.of("--budget", budget, "--out", output.resolve("hunt").toString()));
        if (maxPlans != null) {
            own.addAll(List.of("--max-plans", maxPlans.toString()));
        }
        if (failOn != null && !failOn.isEmpty() && !forgivesViolations()) {
            own.addAll(List.of("--kinds", String.join(",", failOn)));
        }
        return own;
    }

    @Override
    boolean forgivesViolations() {
        return failOn != null && failOn.equals(List.of(NONE));
    }
}
