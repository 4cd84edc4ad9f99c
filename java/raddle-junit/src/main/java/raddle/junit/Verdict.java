package raddle.junit;

import java.nio.file.Path;
import java.util.Optional;
import org.opentest4j.AssertionFailedError;
import org.opentest4j.TestAbortedException;
import raddle.process.Executable;
import raddle.process.RaddleException;
import raddle.process.Report;

/** What a run of the executable means for the test that asked for it. */
final class Verdict {
    private Verdict() {
    }

    /** The executable; without one the test is skipped, and so is one that {@code raddle test} itself runs. */
    static Path executable() {
        if (isControlled()) {
            throw new TestAbortedException("Raddle is already running this test, and does not run within itself");
        }
        return orSkip(Executable.find());
    }

    static Path orSkip(Optional<Path> executable) {
        return executable.orElseThrow(() -> new TestAbortedException(Executable.missing()));
    }

    /** Whether this JVM is one of Raddle's: those have a class that no other JVM has. */
    private static boolean isControlled() {
        try {
            Class.forName("java.lang.Raddle", false, null);
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    /** Returns if nothing was found. */
    static void check(Report report, boolean acceptsInconclusive) {
        switch (report.outcome()) {
            case NOTHING_FOUND -> { }
            case VIOLATIONS -> throw new AssertionFailedError("Raddle found a violation.\n\n" + report.text().strip());
            case INCONCLUSIVE -> {
                if (!acceptsInconclusive) {
                    throw new RaddleException(report.explanation());
                }
            }
            case BAD_INPUT, BROKEN -> throw new RaddleException(report.explanation());
        }
    }
}
