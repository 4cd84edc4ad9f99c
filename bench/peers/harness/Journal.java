// What a run says of itself: a line for each thing that is worth knowing, in a file of its own for each JVM.

package pairs;

import java.io.FileWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Path;

/**
 * Lines are {@code run COUNT NANOSECONDS}, again and again; {@code found WHAT}; {@code done}, when all has been tried;
 * and {@code cannot WHY}.
 */
final class Journal {
    private static final Writer FILE = open();

    private Journal() {}

    private static Writer open() {
        try {
            String name = ProcessHandle.current().pid() + ".journal";
            return new FileWriter(Path.of(System.getProperty("raddle.journal"), name).toFile());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    static synchronized void line(String text) {
        try {
            FILE.write(text.replace('\n', ' ') + "\n");
            FILE.flush();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    static void run(long count) {
        line("run " + count + " " + System.nanoTime());
    }

    static void found(String what, long count) {
        run(count);
        line("found " + what);
    }

    static void cannot(Throwable why) {
        Throwable cause = why.getCause() == null ? why : why.getCause();
        line("cannot " + cause);
    }
}
