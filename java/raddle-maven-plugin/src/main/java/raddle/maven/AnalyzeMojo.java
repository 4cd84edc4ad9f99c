package raddle.maven;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.apache.maven.plugins.annotations.ResolutionScope;

/** Says which public methods of the project's classes can hurt each other, without running any. */
@Mojo(name = "analyze", defaultPhase = LifecyclePhase.VERIFY, requiresDependencyResolution = ResolutionScope.TEST,
        threadSafe = true)
public final class AnalyzeMojo extends RaddleMojo {
    /** Classes to analyse: names, or patterns such as {@code com.acme.**}. If there are none, all of the project. */
    @Parameter(property = "raddle.patterns")
    private List<String> patterns;

    @Parameter(defaultValue = "${project.build.outputDirectory}", readonly = true)
    private File classes;

    @Override
    String command() {
        return "analyze";
    }

    @Override
    List<String> targets() throws IOException {
        return patterns == null || patterns.isEmpty() ? packages(classes, file -> true) : patterns;
    }

    @Override
    List<String> ownOptions(Path output) {
        return List.of();
    }
}
