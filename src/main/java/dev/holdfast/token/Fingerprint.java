package dev.holdfast.token;

import dev.holdfast.config.TokenConfig;
import io.vertx.core.buffer.Buffer;
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
        Buffer all = Buffer.buffer();
        for (String part : parts) {
            byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
            all.appendInt(bytes.length).appendBytes(bytes);
        }
        return of(all.getBytes());
    }

    /** Fingerprint of some bytes. */
    static String of(byte[] content) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java has no SHA-256, which every Java must have", e);
        }
    }
}
