package dev.holdfast.token;

import dev.holdfast.config.TokenConfig;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;

/** Identifies things without keeping them: hexadecimal SHA-256. */
final class Fingerprint {
    private Fingerprint() {}

    /** Fingerprint of the service and the application that a token belongs to. */
    static String ofService(TokenConfig config) {
        return of(config.baseUrl().toString(), config.path(), config.appId());
    }

    /**
     * Fingerprint of an authorization code as it is sent. With another secret, or to another address, the same code
     * deserves another attempt, since the interface doesn't say what a refusal was about.
     */
    static String ofCode(TokenConfig config, String code) {
        return of(
                config.baseUrl().toString(),
                config.path(),
                config.appId(),
                config.appSecret().reveal(),
                code);
    }

    private static String of(String... parts) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (String part : parts) {
                byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
                digest.update(
                        ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).array());
                digest.update(bytes);
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java has no SHA-256, which every Java must have", e);
        }
    }
}
