package net.harborline.codec;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * Signs documents with the secret of a tenant. There is one signer per tenant, shared by all
 * threads that work for it.
 */
public class DocumentSigner {

    private static final MessageDigest SHA256 = createDigest();

    private final byte[] secret;
    private long signed;

    public DocumentSigner(String secret) {
        this.secret = secret.getBytes(StandardCharsets.UTF_8);
    }

    private static MessageDigest createDigest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Computes the signature of a document.
     *
     * @return the signature in hexadecimal digits
     */
    public synchronized String sign(String document) {
        signed++;
        return HexFormat.of().formatHex(digest(document));
    }

    /** Tells whether a signature belongs to a document. */
    public synchronized boolean verify(String document, String signature) {
        byte[] given;
        try {
            given = HexFormat.of().parseHex(signature);
        } catch (IllegalArgumentException e) {
            return false;
        }
        return MessageDigest.isEqual(digest(document), given);
    }

    /** Returns the number of documents signed. */
    public synchronized long signed() {
        return signed;
    }

    /** Tells whether two signers use the same secret. */
    public boolean sameTenant(DocumentSigner other) {
        return Arrays.equals(secret, other.secret);
    }

    private byte[] digest(String document) {
        SHA256.reset();
        SHA256.update(secret);
        SHA256.update((byte) 0);
        SHA256.update(document.getBytes(StandardCharsets.UTF_8));
        return SHA256.digest();
    }
}
