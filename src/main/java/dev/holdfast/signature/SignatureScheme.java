package dev.holdfast.signature;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The platform's signature of a push (interface, section 5.2): {@code hex(SHA1(body ‖ secret))} over the raw bytes of the
 * body followed by the UTF-8 bytes of the secret. Stateless; any thread.
 */
public final class SignatureScheme {
    /** Bytes of a SHA-1 digest. */
    static final int DIGEST_LENGTH = 20;

    private static final ThreadLocal<MessageDigest> SHA1 = ThreadLocal.withInitial(SignatureScheme::sha1);

    private SignatureScheme() {}

    /** The signature of {@code body} as 40 lower-case hexadecimal characters. */
    public static String sign(byte[] body, byte[] secret) {
        return HexFormat.of().formatHex(digest(body, secret));
    }

    static byte[] digest(byte[] body, byte[] secret) {
        MessageDigest sha1 = SHA1.get();
        sha1.reset();
        sha1.update(body);
        return sha1.digest(secret);
    }

    private static MessageDigest sha1() {
        try {
            return MessageDigest.getInstance("SHA-1");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java has no SHA-1, which every Java must have", e);
        }
    }
}
