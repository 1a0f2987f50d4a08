package dev.holdfast.signature;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

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
        return HexFormat.of().formatHex(digests(body, secret)[0]);
    }

    /** One digest for each secret; the body is hashed once. */
    static byte[][] digests(byte[] body, byte[]... secrets) {
        MessageDigest sha1 = SHA1.get();
        sha1.reset();
        sha1.update(body);
        byte[][] digests = new byte[secrets.length][];
        try {
            for (int i = 0; i < secrets.length; i++) {
                boolean last = i == secrets.length - 1;
                digests[i] = (last ? sha1 : (MessageDigest) sha1.clone()).digest(secrets[i]);
            }
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException("this Java's SHA-1 can't be cloned, which the JDK's own can", e);
        }
        return digests;
    }

    /** Whether a text has the form of a signature: 40 hexadecimal digits, in either case. */
    public static boolean isWellFormed(@Nullable String signature) {
        return parse(signature) != null;
    }

    /** The digest that a signature stands for; null when it is none. */
    static byte @Nullable [] parse(@Nullable String signature) {
        if (signature == null || signature.length() != 2 * DIGEST_LENGTH) {
            return null;
        }
        byte[] digest = new byte[DIGEST_LENGTH];
        for (int i = 0; i < DIGEST_LENGTH; i++) {
            char high = signature.charAt(2 * i);
            char low = signature.charAt(2 * i + 1);
            if (!HexFormat.isHexDigit(high) || !HexFormat.isHexDigit(low)) {
                return null;
            }
            digest[i] = (byte) (HexFormat.fromHexDigit(high) << 4 | HexFormat.fromHexDigit(low));
        }
        return digest;
    }

    private static MessageDigest sha1() {
        try {
            return MessageDigest.getInstance("SHA-1");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java has no SHA-1, which every Java must have", e);
        }
    }
}
