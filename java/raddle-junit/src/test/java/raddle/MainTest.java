package raddle;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import raddle.process.ClassPath;

class MainTest {
    private static final String JDK = System.getProperty("java.home");

    @Test
    void commandsThatLookAtClassesGetTheClassPathAndTheJdk() {
        assertEquals(
                List.of("hunt", "--jdk", JDK, "--class-path", ClassPath.ofThisJvm().toString(), "com.acme.Cache"),
                Main.completed(List.of("hunt", "com.acme.Cache")));
    }

    @Test
    void whatTheCommandLineHasIsKept() {
        List<String> arguments = List.of("test", "-cp", "classes", "--jdk=/jdk", "com.acme.CacheTest");
        assertEquals(arguments, Main.completed(arguments));
    }

    @Test
    void otherCommandsAreLeftAsTheyAre() {
        for (List<String> arguments : List.of(List.<String>of(), List.of("--version"), List.of("replay", "a.json"))) {
            assertEquals(arguments, Main.completed(arguments));
        }
    }
}
