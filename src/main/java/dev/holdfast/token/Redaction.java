package dev.holdfast.token;

import dev.holdfast.logging.Printable;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;

/** Takes secrets out of a text that came from elsewhere, and makes it fit for one line of a log. */
final class Redaction {
    private static final int LONGEST = 200;
    private static final String MASK = "********";

    private final List<String> secrets;

    /** @param secrets empty ones hide nothing */
    Redaction(Collection<String> secrets) {
        // A secret may begin with another one.
        this.secrets = secrets.stream()
                .filter(secret -> !secret.isEmpty())
                .distinct()
                .sorted(Comparator.comparingInt(String::length).reversed())
                .toList();
    }

    String apply(String text) {
        String safe = Printable.line(mask(text)).strip();
        return safe.length() <= LONGEST ? safe : safe.substring(0, LONGEST) + "...";
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

    /** Where the secret ends that is written there as in a URL: no two encoders leave the same characters as they are; -1: none is. */
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
