package dev.holdfast.token;

import dev.holdfast.config.TokenConfig;
import java.io.ByteArrayOutputStream;
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
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (String part : parts) {
            byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
            all.writeBytes(
                    ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).array());
            all.writeBytes(bytes);
        }
        return of(all.toByteArray());
    }

    static String of(byte[] content) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java has no SHA-256, which every Java must have", e);
        }
    }
}
