package b2.onetimetokens;

import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Random tokens that can be redeemed once.
 *
 * <p>Thread-safe. The tokens that have been issued and not redeemed are pairwise different. If
 * several threads redeem the same token, exactly one succeeds.
 */
public class OneTimeTokens {
    private static final int BYTES = 16;

    private final SecureRandom random = new SecureRandom();
    private final Set<String> valid = ConcurrentHashMap.newKeySet();

    /** Issues a new random token. */
    public String issue() {
        while (true) {
            byte[] bytes = new byte[BYTES];
            random.nextBytes(bytes);
            String token = HexFormat.of().formatHex(bytes);
            if (valid.add(token)) {
                return token;
            }
        }
    }

    /** Redeems a token; returns false if it was never issued or is used up. */
    public boolean redeem(String token) {
        return valid.remove(token);
    }

    /** Tells whether the token can be redeemed. */
    public boolean isValid(String token) {
        return valid.contains(token);
    }

    /** Replaces a token by a new one; returns null if it was not valid. */
    public String renew(String token) {
        return valid.remove(token) ? issue() : null;
    }

    /**
     * Returns about how many tokens can be redeemed. While tokens are being issued, renewed and
     * redeemed, some of these changes may not be counted yet.
     */
    public int estimatedCount() {
        return valid.size();
    }
}
