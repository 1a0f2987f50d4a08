package dev.holdfast.signature;

import dev.holdfast.config.Secret;
import java.security.MessageDigest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The secrets of one endpoint that are valid at the moment, and the check of a push's signature against them. Any
 * thread may check while another one replaces the secrets; a check uses either all the old ones or all the new ones.
 */
public final class LiveSecrets {
    private volatile byte[][] secrets;

    public LiveSecrets(List<Secret> secrets) {
        this.secrets = bytes(secrets);
    }

    /** Makes these the only valid secrets, from the next check on. */
    public void replace(List<Secret> secrets) {
        this.secrets = bytes(secrets);
    }

    /** How many are valid at the moment. */
    public int count() {
        return secrets.length;
    }

    /**
     * Whether {@code signature} is that of {@code body} under one of the secrets. Every secret is tried, and digests are
     * compared in constant time, so that the time taken tells nothing about a secret.
     *
     * @param body the request's body as it was received
     * @param signature the header's value: 40 hexadecimal digits in either case; anything else matches nothing
     */
    public boolean matches(byte[] body, @Nullable String signature) {
        byte[] claimed = SignatureScheme.parse(signature);
        if (claimed == null) {
            return false;
        }
        boolean matches = false;
        for (byte[] digest : SignatureScheme.digests(body, secrets)) {
            matches |= MessageDigest.isEqual(digest, claimed);
        }
        return matches;
    }

    private static byte[][] bytes(List<Secret> secrets) {
        return secrets.stream().map(Secret::bytes).toArray(byte[][]::new);
    }
}
