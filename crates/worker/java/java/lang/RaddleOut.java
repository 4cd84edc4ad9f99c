package java.lang;

import java.nio.charset.StandardCharsets;

/** Numbers and texts as bytes, most significant first. */
final class RaddleOut {
    private byte[] bytes = new byte[1024];
    private int size;

    void u8(int value) {
        room(1);
        bytes[size++] = (byte) value;
    }

    void i32(int value) {
        room(4);
        bytes[size++] = (byte) (value >>> 24);
        bytes[size++] = (byte) (value >>> 16);
        bytes[size++] = (byte) (value >>> 8);
        bytes[size++] = (byte) value;
    }

    void i64(long value) {
        i32((int) (value >>> 32));
        i32((int) value);
    }

    void utf(String text) {
        byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
        i32(encoded.length);
        room(encoded.length);
        System.arraycopy(encoded, 0, bytes, size, encoded.length);
        size += encoded.length;
    }

    /** Where the next byte goes, to come back to it with {@link #patch}. */
    int position() {
        return size;
    }

    void patch(int position, int value) {
        int end = size;
        size = position;
        i32(value);
        size = end;
    }

    byte[] finish() {
        byte[] all = new byte[size];
        System.arraycopy(bytes, 0, all, 0, size);
        return all;
    }

    private void room(int more) {
        if (size + more > bytes.length) {
            byte[] larger = new byte[Math.max(bytes.length * 2, size + more)];
            System.arraycopy(bytes, 0, larger, 0, size);
            bytes = larger;
        }
    }
}
