package java.lang;

/** Reads what the native side wrote; most significant byte first. */
final class RaddleIn {
    private final byte[] bytes;
    private int at;

    RaddleIn(byte[] bytes) {
        this.bytes = bytes;
    }

    int u8() {
        return bytes[at++] & 0xff;
    }

    int i32() {
        return u8() << 24 | u8() << 16 | u8() << 8 | u8();
    }

    long i64() {
        return (long) i32() << 32 | i32() & 0xffffffffL;
    }

    int[] ints(int count) {
        int[] values = new int[count];
        for (int i = 0; i < count; i++) {
            values[i] = i32();
        }
        return values;
    }
}
