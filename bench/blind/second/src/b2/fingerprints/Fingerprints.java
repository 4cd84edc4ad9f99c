package b2.fingerprints;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Computes fingerprints of documents. The same tenant and text always give the same fingerprint.
 *
 * <p>Thread-safe; create one instance and share it.
 */
public final class Fingerprints {
    private final MessageDigest digest;

    public Fingerprints() {
        this("SHA-256");
    }

    Fingerprints(String algorithm) {
        try {
            digest = MessageDigest.getInstance(algorithm);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalArgumentException(e);
        }
    }

    /** Returns the fingerprint of a text as hexadecimal digits. */
    public String of(String tenant, String text) {
        byte[] tenantBytes = tenant.getBytes(StandardCharsets.UTF_8);
        byte[] textBytes = text.getBytes(StandardCharsets.UTF_8);
        digest.reset();
        digest.update(tenantBytes);
        digest.update((byte) 0);
        digest.update(textBytes);
        return HexFormat.of().formatHex(digest.digest());
    }

    /** Tells whether the text has the given fingerprint. */
    public boolean matches(String tenant, String text, String fingerprint) {
        return of(tenant, text).equals(fingerprint);
    }
}
