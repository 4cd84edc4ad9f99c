package net.quillmoor.text;

import java.util.Arrays;
import java.util.List;

/**
 * Encodes rows as lines of fixed-width columns. Cells that are too long are cut, short ones are
 * padded with blanks.
 *
 * <p>Encoders are thread-safe: the working space needed for a row is kept per thread, so that no
 * garbage is made except the line itself.
 */
public final class RowEncoder {

    /** How a cell sits in its column. */
    public enum Alignment {
        /** At the left edge. */
        LEFT,
        /** At the right edge. */
        RIGHT
    }

    private static final class Workspace {
        final char[] line;
        int position;

        Workspace(int width) {
            line = new char[width];
        }

        void start() {
            Arrays.fill(line, ' ');
            position = 0;
        }

        void cell(String text, int width, Alignment alignment) {
            int length = Math.min(text.length(), width);
            int offset = alignment == Alignment.LEFT ? 0 : width - length;
            for (int i = 0; i < length; i++) {
                line[position + offset + i] = text.charAt(i);
            }
            position += width;
        }

        String finish() {
            return new String(line, 0, position);
        }
    }

    private final int[] widths;
    private final Alignment[] alignments;
    private final ThreadLocal<Workspace> workspace;

    /**
     * Creates an encoder.
     *
     * @param alignment the alignment of all cells
     * @param widths the width of each column, all positive
     */
    public RowEncoder(Alignment alignment, int... widths) {
        this.widths = widths.clone();
        this.alignments = new Alignment[widths.length];
        Arrays.fill(alignments, alignment);
        int sum = 0;
        for (int width : widths) {
            if (width < 1) {
                throw new IllegalArgumentException("width: " + width);
            }
            sum += width;
        }
        Workspace space = new Workspace(sum);
        this.workspace = ThreadLocal.withInitial(() -> space);
    }

    /**
     * Encodes a row.
     *
     * @throws IllegalArgumentException if the number of cells is not the number of columns
     */
    public String encode(List<String> cells) {
        if (cells.size() != widths.length) {
            throw new IllegalArgumentException("expected " + widths.length + " cells");
        }
        Workspace space = workspace.get();
        space.start();
        for (int i = 0; i < widths.length; i++) {
            space.cell(cells.get(i), widths[i], alignments[i]);
        }
        return space.finish();
    }

    /** Encodes a row of cells. */
    public String encode(String... cells) {
        return encode(Arrays.asList(cells));
    }

    /** Returns the number of columns. */
    public int columns() {
        return widths.length;
    }
}
