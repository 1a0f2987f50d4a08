package dev.holdfast.token;

import dev.holdfast.logging.Printable;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Takes secrets out of a text that came from elsewhere, and makes it fit for one line of a log. */
final class Redaction {
    private static final int LONGEST = 200;
    private static final String MASK = "********";

    private final List<Pattern> secrets;

    /** @param secrets empty ones hide nothing */
    Redaction(Collection<String> secrets) {
        // A secret may begin with another one.
        this.secrets = secrets.stream()
                .filter(secret -> !secret.isEmpty())
                .distinct()
                .sorted(Comparator.comparingInt(String::length).reversed())
                .map(Redaction::anyForm)
                .toList();
    }

    /** As it is, and in a URL: no two encoders leave the same characters as they are. */
    private static Pattern anyForm(String secret) {
        String form = secret.codePoints().mapToObj(Redaction::anyForm).collect(Collectors.joining());
        return Pattern.compile(form, Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE);
    }

    private static String anyForm(int character) {
        String plain = Character.toString(character);
        if (plain.matches("[A-Za-z0-9]")) {
            return plain;
        }
        StringBuilder form =
                new StringBuilder("(?:").append(Pattern.quote(plain)).append('|');
        for (byte one : plain.getBytes(StandardCharsets.UTF_8)) {
            form.append('%').append(HexFormat.of().toHexDigits(one));
        }
        return form.append(character == ' ' ? "|\\+)" : ")").toString();
    }

    String apply(String text) {
        String safe = Printable.line(mask(text)).strip();
        return safe.length() <= LONGEST ? safe : safe.substring(0, LONGEST) + "...";
    }

    /** The text as it is, but for the secrets. */
    String mask(String text) {
        String safe = text;
        for (Pattern secret : secrets) {
            safe = secret.matcher(safe).replaceAll(MASK);
        }
        return safe;
    }
}
