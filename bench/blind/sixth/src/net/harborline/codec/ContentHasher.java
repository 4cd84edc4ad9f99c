package net.harborline.codec;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.concurrent.atomic.LongAdder;
import java.util.zip.CRC32;

/**
 * Computes short content hashes for cache keys. One instance serves the whole process.
 */
public class ContentHasher {

    /** What a thread needs for hashing; never leaves its thread. */
    private static final class Workspace {
        final MessageDigest digest;
        final CRC32 crc = new CRC32();
        final StringBuilder text = new StringBuilder(64);

        Workspace() {
            try {
                digest = MessageDigest.getInstance("SHA-256");
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private static final ThreadLocal<Workspace> WORKSPACES = ThreadLocal.withInitial(Workspace::new);
    private static final char[] DIGITS = "0123456789abcdef".toCharArray();

    private final int length;
    private final LongAdder hashed = new LongAdder();

    public ContentHasher() {
        this(16);
    }

    /**
     * Creates a hasher.
     *
     * @param length number of bytes of the hash to use, 1 to 32
     */
    public ContentHasher(int length) {
        if (length < 1 || length > 32) {
            throw new IllegalArgumentException("length: " + length);
        }
        this.length = length;
    }

    /** Returns the hash of a text in hexadecimal digits. */
    public String hash(String content) {
        byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
        Workspace workspace = WORKSPACES.get();
        workspace.digest.reset();
        byte[] digest = workspace.digest.digest(bytes);
        workspace.text.setLength(0);
        for (int i = 0; i < length; i++) {
            workspace.text.append(DIGITS[(digest[i] >> 4) & 15]).append(DIGITS[digest[i] & 15]);
        }
        hashed.increment();
        return workspace.text.toString();
    }

    /** Returns the CRC-32 checksum of a text. */
    public long checksum(String content) {
        CRC32 crc = WORKSPACES.get().crc;
        crc.reset();
        crc.update(content.getBytes(StandardCharsets.UTF_8));
        return crc.getValue();
    }

    /** Returns an estimate of the number of hashes computed. */
    public long hashed() {
        return hashed.sum();
    }
}
