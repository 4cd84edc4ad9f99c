package raddle.process;

/**
 * What came of a run of the executable.
 *
 * @param exitCode see {@link #outcome()}
 * @param text what it printed
 * @param complaints what it said on standard error
 */
public record Report(int exitCode, String text, String complaints) {
    /** What the exit code stands for. */
    public enum Outcome {
        NOTHING_FOUND, VIOLATIONS, BAD_INPUT, INCONCLUSIVE, BROKEN
    }

    public Outcome outcome() {
        return switch (exitCode) {
            case 0 -> Outcome.NOTHING_FOUND;
            case 1 -> Outcome.VIOLATIONS;
            case 2 -> Outcome.BAD_INPUT;
            case 3 -> Outcome.INCONCLUSIVE;
            default -> Outcome.BROKEN;
        };
    }

    /** A sentence about an outcome that is no answer, followed by all that was printed. */
    public String explanation() {
        String sentence = switch (outcome()) {
            case NOTHING_FOUND -> "Raddle found nothing.";
            case VIOLATIONS -> "Raddle found violations.";
            case BAD_INPUT -> "Raddle could not use what it was given (exit code 2).";
            case INCONCLUSIVE -> "Raddle found nothing, but could not look at enough to say more (exit code 3).";
            case BROKEN -> "Raddle itself failed (exit code " + exitCode + "). Please report this.";
        };
        StringBuilder all = new StringBuilder(sentence);
        for (String part : new String[] {complaints, text}) {
            if (!part.isBlank()) {
                all.append('\n').append(part.strip());
            }
        }
        return all.toString();
    }
}
