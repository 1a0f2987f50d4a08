package dev.holdfast.token;

import dev.holdfast.config.TokenConfig;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;

/** Tells things apart without keeping them: hexadecimal SHA-256. */
final class Fingerprint {
    private Fingerprint() {}

    /** Of what a token belongs to: the service and the application. */
    static String ofService(TokenConfig config) {
        return of(config.baseUrl().toString(), config.path(), config.appId());
    }

    /**
     * Of an authorization code as it is sent: with another secret or to another place it is worth another attempt, for the
     * interface doesn't tell which of them a refusal was about.
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
