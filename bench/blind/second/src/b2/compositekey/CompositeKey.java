package b2.compositekey;

import java.util.Objects;

/**
 * A key of several parts, for hash tables.
 *
 * <p>Immutable and thread-safe.
 */
public final class CompositeKey implements Comparable<CompositeKey> {
    private final String tenant;
    private final String table;
    private final long row;
    private int hash;
    private String text;

    public CompositeKey(String tenant, String table, long row) {
        this.tenant = Objects.requireNonNull(tenant);
        this.table = Objects.requireNonNull(table);
        this.row = row;
    }

    /** Returns the same key with another row. */
    public CompositeKey withRow(long newRow) {
        return newRow == row ? this : new CompositeKey(tenant, table, newRow);
    }

    /** Returns the row. */
    public long row() {
        return row;
    }

    @Override
    public boolean equals(Object o) {
        if (this == o) {
            return true;
        }
        if (!(o instanceof CompositeKey)) {
            return false;
        }
        CompositeKey other = (CompositeKey) o;
        return row == other.row && table.equals(other.table) && tenant.equals(other.tenant);
    }

    @Override
    public int hashCode() {
        int h = hash;
        if (h == 0) {
            h = 31 * (31 * tenant.hashCode() + table.hashCode()) + Long.hashCode(row);
            hash = h;
        }
        return h;
    }

    @Override
    public int compareTo(CompositeKey other) {
        int c = tenant.compareTo(other.tenant);
        if (c == 0) {
            c = table.compareTo(other.table);
        }
        return c != 0 ? c : Long.compare(row, other.row);
    }

    /** Returns the key as text. Calls may return different but equal strings. */
    @Override
    public String toString() {
        String t = text;
        if (t == null) {
            t = tenant + "/" + table + "/" + row;
            text = t;
        }
        return t;
    }
}
