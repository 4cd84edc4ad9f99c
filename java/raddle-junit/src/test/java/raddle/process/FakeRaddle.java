package raddle.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A program in place of the real one, which takes no time and answers as told. */
public final class FakeRaddle {
    private FakeRaddle() {
    }

    /** Makes one that prints its arguments, one a line, complains, and ends with the exit code. */
    public static Path make(Path folder, int exitCode) throws IOException {
        Path program = folder.resolve("raddle");
        Files.writeString(program, """
                #!/bin/sh
                for word in "$@"; do echo "word $word"; done
                echo "error: a complaint" >&2
                exit %d
                """.formatted(exitCode));
        if (!program.toFile().setExecutable(true)) {
            throw new IOException(program + " cannot be made executable");
        }
        return program;
    }
}
