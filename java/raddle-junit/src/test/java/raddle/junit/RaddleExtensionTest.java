package raddle.junit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.opentest4j.AssertionFailedError;
import raddle.process.Executable;
import raddle.process.FakeRaddle;
import raddle.process.OutputFolder;
import raddle.process.RaddleException;

class RaddleExtensionTest {
    /** Would fail if it, or what prepares it, was run in this JVM. */
    static class Sample {
        @BeforeEach
        void prepare() {
            fail("prepared");
        }

        @AfterEach
        void cleanUp() {
            fail("cleaned up");
        }

        @RaddleTest(budget = "5s", scheduler = "pct:3", schedules = 70)
        void counts() {
            fail("run");
        }
    }

    /** An extension of the class is there for its other tests too. */
    @ExtendWith(RaddleExtension.class)
    static class Plain {
        static int steps;

        @BeforeEach
        void prepare() {
            steps++;
        }

        @Test
        void runs() {
            steps++;
        }
    }

    @TempDir
    Path folder;

    @BeforeEach
    void nameFolder() {
        System.setProperty(OutputFolder.PROPERTY, folder.resolve("out").toString());
    }

    @AfterEach
    void forget() {
        System.clearProperty(OutputFolder.PROPERTY);
        System.clearProperty(Executable.PROPERTY);
    }

    private TestExecutionResult resultWith(int exitCode) throws IOException {
        System.setProperty(Executable.PROPERTY, FakeRaddle.make(folder, exitCode).toString());
        return result(Sample.class);
    }

    private static TestExecutionResult result(Class<?> type) {
        return EngineTestKit.engine("junit-jupiter").selectors(selectClass(type)).execute().testEvents().finished()
                .stream().findFirst().orElseThrow().getRequiredPayload(TestExecutionResult.class);
    }

    private static String message(TestExecutionResult result) {
        return result.getThrowable().orElseThrow().getMessage();
    }

    @Test
    void aTestPassesIfNothingIsFound() throws IOException {
        assertEquals(TestExecutionResult.Status.SUCCESSFUL, resultWith(0).getStatus());
    }

    @Test
    void aTestFailsWithTheReportAndItsOptionsArePassedOn() throws IOException {
        TestExecutionResult result = resultWith(1);
        assertEquals(TestExecutionResult.Status.FAILED, result.getStatus());
        assertInstanceOf(AssertionFailedError.class, result.getThrowable().orElseThrow());
        String words = message(result).replace("\nword ", " ");
        assertTrue(words.contains("--budget 5s --scheduler pct:3 --schedules 70 " + Sample.class.getName() + "#counts"),
                words);
        assertTrue(words.contains("--jdk " + System.getProperty("java.home")), words);
        Path report = folder.resolve("out/test").resolve(Sample.class.getName() + "-counts.txt");
        assertTrue(Files.readString(report).contains("word test"));
    }

    @Test
    void whatIsNoAnswerIsAnErrorAndNoFailure() throws IOException {
        for (int exitCode : new int[] {2, 3, 70, 101}) {
            TestExecutionResult result = resultWith(exitCode);
            assertEquals(TestExecutionResult.Status.FAILED, result.getStatus());
            assertInstanceOf(RaddleException.class, result.getThrowable().orElseThrow());
            assertTrue(message(result).contains("exit code " + exitCode), message(result));
            assertTrue(message(result).contains("error: a complaint"), message(result));
        }
    }

    @Test
    void otherTestsOfAnExtendedClassAreRunHere() {
        Plain.steps = 0;
        assertEquals(TestExecutionResult.Status.SUCCESSFUL, result(Plain.class).getStatus());
        assertEquals(2, Plain.steps);
    }
}
