package dev.holdfast.token;

import dev.holdfast.logging.Printable;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;

/** Removes secrets from a text that came from elsewhere, and makes it fit for one log line. */
final class Redaction {
    private static final int LONGEST = 200;
    private static final String MASK = "********";

    private final List<String> secrets;

    /** @param secrets to remove; empty ones are ignored */
    Redaction(Collection<String> secrets) {
        // A secret may begin with another one.
        this.secrets = secrets.stream()
                .filter(secret -> !secret.isEmpty())
                .distinct()
                .sorted(Comparator.comparingInt(String::length).reversed())
                .toList();
    }

    String apply(String text) {
        return Printable.line(mask(text), LONGEST);
    }

    /** The text as it is, but for the secrets. */
    String mask(String text) {
        String safe = text;
        for (String secret : secrets) {
            safe = mask(safe, secret);
        }
        return safe;
    }

    private static String mask(String text, String secret) {
        StringBuilder safe = new StringBuilder();
        for (int at = 0; at < text.length(); ) {
            int end = text.regionMatches(true, at, secret, 0, secret.length())
                    ? at + secret.length()
                    : endOfEncoded(text, at, secret);
            safe.append(end > at ? MASK : text.substring(at, at + 1));
            at = Math.max(end, at + 1);
        }
        return safe.toString();
    }

    /**
     * Where a percent-encoded form of the secret ends that begins at this place; -1 if there is none. Compared
     * character by character, since encoders differ in what they leave as it is.
     */
    private static int endOfEncoded(String text, int from, String secret) {
        int at = from;
        for (int i = 0; i < secret.length(); i += Character.charCount(secret.codePointAt(i))) {
            String plain = Character.toString(secret.codePointAt(i));
            String encoded = "%" + HexFormat.ofDelimiter("%").formatHex(plain.getBytes(StandardCharsets.UTF_8));
            if (text.regionMatches(true, at, encoded, 0, encoded.length())) {
                at += encoded.length();
            } else if (text.regionMatches(true, at, plain, 0, plain.length())
                    || (plain.equals(" ") && text.startsWith("+", at))) {
                at += plain.length();
            } else {
                return -1;
            }
        }
        return at;
    }
}
