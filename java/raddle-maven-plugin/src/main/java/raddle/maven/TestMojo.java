package raddle.maven;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.apache.maven.plugins.annotations.ResolutionScope;

/** Runs tests of the project under many schedules. */
@Mojo(name = "test", defaultPhase = LifecyclePhase.VERIFY, requiresDependencyResolution = ResolutionScope.TEST,
        threadSafe = true)
public final class TestMojo extends RaddleMojo {
    /** What class files of tests have in them. A package with helpers only would be refused for having no test. */
    private static final List<String> SIGNS = List.of("Lorg/junit/jupiter/api/Test;",
            "Lorg/junit/jupiter/api/RepeatedTest;", "Lorg/junit/jupiter/params/ParameterizedTest;", "Lorg/junit/Test;",
            "Lorg/testng/annotations/Test;", "Lraddle/junit/RaddleTest;", "junit/framework/TestCase");

    /**
     * Tests: names of classes, {@code com.acme.CacheTest#evictsOnce} for one method, or patterns such as
     * {@code com.acme.**}. If there are none, all tests of the project.
     */
    @Parameter(property = "raddle.tests")
    private List<String> tests;

    /** How long each test is run. */
    @Parameter(property = "raddle.budget", defaultValue = "10s")
    private String budget;

    /** How many schedules of each test at most, so that the answer does not depend on how fast the machine is. */
    @Parameter(property = "raddle.schedules")
    private Integer schedules;

    @Parameter(defaultValue = "${project.build.testOutputDirectory}", readonly = true)
    private File testClasses;

    @Override
    String command() {
        return "test";
    }

    @Override
    List<String> targets() throws IOException {
        return tests == null || tests.isEmpty() ? packages(testClasses, TestMojo::isTest) : tests;
    }

    private static boolean isTest(Path file) {
        try {
            // Names are plain text in a class file, and bytes that are none do no harm.
            String text = Files.readString(file, StandardCharsets.ISO_8859_1);
            return SIGNS.stream().anyMatch(text::contains);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    List<String> ownOptions(Path output) {
        List<String> own = new ArrayList<>(List.of("--budget", budget, "--save", output.resolve("test").toString()));
        if (schedules != null) {
            own.addAll(List.of("--schedules", schedules.toString()));
        }
        return own;
    }
}
