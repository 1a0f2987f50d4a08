package dev.holdfast.receiver;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.holdfast.config.Secret;
import dev.holdfast.quarantine.QuarantinedRequest.Cause;
import dev.holdfast.signature.LiveSecrets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A signature header of any content is judged as a plain reading of the interface judges it. The last line of an input is the
 * body, each one before it a value of the header, in which {@code @} stands for the right signature's digits.
 */
public final class SignatureFuzz {
    private static final List<String> SECRETS = List.of("the-first-secret", "the-second-secr\u00e9t");
    private static final LiveSecrets LIVE =
            new LiveSecrets(SECRETS.stream().map(Secret::new).toList());

    private SignatureFuzz() {}

    public static List<String> seeds() {
        return List.of("@\n{}", "{}", "\n{}", "@\n@\n{}", "@0\n{}", "sha1=@\n{}", "0".repeat(40) + "\n{}");
    }

    /** Loads what the inputs need, before they are timed. */
    public static void fuzzerInitialize() {
        seeds().forEach(seed -> fuzzerTestOneInput(seed.getBytes(ISO_8859_1)));
    }

    public static void fuzzerTestOneInput(byte[] data) {
        String[] lines = new String(data, ISO_8859_1).split("\n", -1);
        byte[] body = lines[lines.length - 1].getBytes(ISO_8859_1);
        String right = sign(body, SECRETS.get(body.length % SECRETS.size()));
        List<String> values = Arrays.stream(lines, 0, lines.length - 1)
                .map(value -> value.replace("@", right))
                .toList();
        Cause found = ClaimedSignature.of(values).mismatch(body, LIVE);
        Cause expected = expected(values, body);
        if (found != expected) {
            throw new AssertionError("found " + found + ", expected " + expected);
        }
    }

    private static @Nullable Cause expected(List<String> values, byte[] body) {
        if (values.size() != 1) {
            return values.isEmpty() ? Cause.MISSING : Cause.DOUBLED;
        }
        String value = values.get(0);
        if (!value.matches("[0-9a-fA-F]{40}")) {
            return Cause.MALFORMED;
        }
        String digits = value.toLowerCase(Locale.ROOT);
        return SECRETS.stream().anyMatch(secret -> sign(body, secret).equals(digits)) ? null : Cause.MISMATCH;
    }

    private static String sign(byte[] body, String secret) {
        try {
            MessageDigest sha1 = MessageDigest.getInstance("SHA-1");
            sha1.update(body);
            sha1.update(secret.getBytes(java.nio.charset.StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(sha1.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
