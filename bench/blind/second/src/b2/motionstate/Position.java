package b2.motionstate;

/** A position in the plane. */
public record Position(long x, long y) {
}
