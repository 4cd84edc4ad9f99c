// Looks for data races in what VMLens has written down of a run, as its plug-in does when tests have ended.

package pairs;

import com.anarsoft.race.detection.main.ProcessEvents;
import com.anarsoft.race.detection.process.run.ProcessRunContextBuilder;
import java.nio.file.Path;

public final class VmlensRaces {
    private VmlensRaces() {}

    /** Arguments: directory with the events, directory for the report. */
    public static void main(String[] args) {
        try {
            ProcessEvents events =
                    new ProcessEvents(Path.of(args[0]), Path.of(args[1]), new ProcessRunContextBuilder().build());
            int races = events.process().dataRaceCount();
            Journal.line(races > 0 ? "found " + races + " data races" : "done");
        } catch (Throwable thrown) {
            Journal.cannot(thrown);
        }
    }
}
