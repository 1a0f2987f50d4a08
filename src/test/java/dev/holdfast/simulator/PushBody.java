package dev.holdfast.simulator;

import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** A body's bytes, with a signature computed apart from the product's own code. */
record PushBody(Buffer content) {
    byte[] bytes() {
        return content.getBytes();
    }

    String signedWith(String secret) {
        try {
            MessageDigest sha1 = MessageDigest.getInstance("SHA-1");
            sha1.update(bytes());
            sha1.update(secret.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(sha1.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }
}
