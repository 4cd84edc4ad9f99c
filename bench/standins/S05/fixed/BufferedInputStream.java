/*
 * Subject S05, mended: close holds the lock as all the others do. Nothing fails.
 */
package standin.s05;

import java.io.IOException;
import java.io.InputStream;

/**
 * A stream that reads ahead.
 *
 * <p>It is no java.io.InputStream: those have gained public methods since, and the number of methods is to stay.
 */
public class BufferedInputStream {
    private static final int DEFAULT_SIZE = 16;

    private InputStream in;
    private byte[] buf;
    private int count;
    private int pos;
    private int markPos = -1;
    private int markLimit;

    public BufferedInputStream(InputStream in) {
        this(in, DEFAULT_SIZE);
    }

    public BufferedInputStream(InputStream in, int size) {
        if (size <= 0) {
            throw new IllegalArgumentException("size " + size);
        }
        this.in = in;
        this.buf = new byte[size];
    }

    private void checkOpen() throws IOException {
        if (in == null) {
            throw new IOException("stream closed");
        }
    }

    /** Reads more, behind the bytes that a reset would go back to. */
    private void fill() throws IOException {
        boolean marked = markPos >= 0 && pos - markPos <= markLimit;
        int kept = marked ? pos - markPos : 0;
        if (kept == buf.length) {
            byte[] larger = new byte[2 * kept];
            System.arraycopy(buf, 0, larger, 0, kept);
            buf = larger;
        } else {
            System.arraycopy(buf, pos - kept, buf, 0, kept);
        }
        markPos = marked ? 0 : -1;
        pos = kept;
        count = kept;
        int got = in.read(buf, kept, buf.length - kept);
        if (got > 0) {
            count += got;
        }
    }

    public synchronized int read() throws IOException {
        checkOpen();
        if (pos >= count) {
            fill();
            if (pos >= count) {
                return -1;
            }
        }
        return buf[pos++] & 0xff;
    }

    public int read(byte[] into) throws IOException {
        return read(into, 0, into.length);
    }

    public synchronized int read(byte[] into, int from, int length) throws IOException {
        checkOpen();
        if (from < 0 || length < 0 || length > into.length - from) {
            throw new IndexOutOfBoundsException();
        }
        if (length == 0) {
            return 0;
        }
        if (pos >= count) {
            fill();
            if (pos >= count) {
                return -1;
            }
        }
        int n = Math.min(length, count - pos);
        System.arraycopy(buf, pos, into, from, n);
        pos += n;
        return n;
    }

    public synchronized long skip(long n) throws IOException {
        checkOpen();
        if (n <= 0) {
            return 0;
        }
        if (pos >= count) {
            if (markPos < 0) {
                return in.skip(n);
            }
            fill();
        }
        int skipped = (int) Math.min(n, count - pos);
        pos += skipped;
        return skipped;
    }

    public synchronized int available() throws IOException {
        checkOpen();
        return (count - pos) + in.available();
    }

    public synchronized void mark(int readLimit) {
        markLimit = readLimit;
        markPos = pos;
    }

    public synchronized void reset() throws IOException {
        checkOpen();
        if (markPos < 0) {
            throw new IOException("no mark");
        }
        pos = markPos;
    }

    public boolean markSupported() {
        return true;
    }

    public synchronized void close() throws IOException {
        if (in == null) {
            return;
        }
        in.close();
        in = null;
        buf = null;
    }
}
