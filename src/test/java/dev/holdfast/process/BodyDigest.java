package dev.holdfast.process;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256 of a body: stands for its exact bytes where hundreds of thousands are compared. */
record BodyDigest(String hex) {
    static BodyDigest of(byte[] body) {
        try {
            return new BodyDigest(HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(body)));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public String toString() {
        return hex.substring(0, Math.min(12, hex.length()));
    }
}
