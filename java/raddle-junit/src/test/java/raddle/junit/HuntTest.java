package raddle.junit;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.opentest4j.AssertionFailedError;
import org.opentest4j.TestAbortedException;
import raddle.process.Executable;
import raddle.process.FakeRaddle;
import raddle.process.OutputFolder;
import raddle.process.RaddleException;

class HuntTest {
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

    private void answerWith(int exitCode) throws IOException {
        System.setProperty(Executable.PROPERTY, FakeRaddle.make(folder, exitCode).toString());
    }

    @Test
    void whatIsFoundIsTheMessage() throws IOException {
        answerWith(1);
        Hunt hunt = Raddle.hunt(Hunt.class, Raddle.class).budget("20s").maxPlans(30).kinds("deadlock", "result")
                .seeds(HuntTest.class).option("--strict");
        String words = assertThrows(AssertionFailedError.class, hunt::assertThreadSafe).getMessage()
                .replace("\nword ", " ");
        assertTrue(words.contains(" hunt --class-path "), words);
        assertTrue(words.contains("--budget 20s --max-plans 30 --kinds deadlock,result --from-tests raddle.junit.HuntTest"
                + " --strict raddle.junit.Hunt raddle.junit.Raddle"), words);
    }

    @Test
    void nothingIsThrownIfNothingIsFound() throws IOException {
        answerWith(0);
        Raddle.hunt(Hunt.class).assertThreadSafe();
    }

    @Test
    void tooLittleIsAnErrorUnlessItIsAccepted() throws IOException {
        answerWith(3);
        Hunt hunt = Raddle.hunt(Hunt.class);
        String message = assertThrows(RaddleException.class, hunt::assertThreadSafe).getMessage();
        assertTrue(message.contains("could not look at enough"), message);
        hunt.acceptInconclusive().assertThreadSafe();
    }

    @Test
    void withoutAnExecutableATestIsSkipped() {
        TestAbortedException skipped = assertThrows(TestAbortedException.class, () -> Verdict.orSkip(Optional.empty()));
        assertTrue(skipped.getMessage().contains("there is no raddle executable"), skipped.getMessage());
    }
}
