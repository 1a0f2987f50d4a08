package dev.holdfast.token;

import dev.holdfast.logging.Printable;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** Takes secrets out of a text that came from elsewhere, and makes it fit for one line of a log. */
final class Redaction {
    private static final int LONGEST = 200;
    private static final String MASK = "********";

    private final List<Pattern> secrets;

    /** @param secrets empty ones hide nothing */
    Redaction(Collection<String> secrets) {
        Set<String> forms = new LinkedHashSet<>();
        for (String secret : secrets) {
            if (!secret.isEmpty()) {
                String encoded = URLEncoder.encode(secret, StandardCharsets.UTF_8);
                forms.addAll(List.of(secret, encoded, encoded.replace("+", "%20")));
            }
        }
        // A secret may begin with another one.
        this.secrets = forms.stream()
                .sorted(Comparator.comparingInt(String::length).reversed())
                .map(form -> Pattern.compile(Pattern.quote(form), Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE))
                .toList();
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
