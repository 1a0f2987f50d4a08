package dev.holdfast.cli;

import dev.holdfast.logging.Printable;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The parameters of a request to the API: named values, as a query or as an object. */
final class RequestParameters {
    private static final Pattern DASHED = Pattern.compile("-(.)");

    private final Map<String, Object> values = new LinkedHashMap<>();

    /** @param value null: it is left out */
    RequestParameters put(String name, @Nullable Object value) {
        if (value != null) {
            values.put(name, value);
        }
        return this;
    }

    /** @param name as of an option: {@code --push-id} is {@code pushId} */
    void putOption(String name, @Nullable Object value) {
        put(DASHED.matcher(name.substring(2)).replaceAll(word -> word.group(1).toUpperCase(Locale.ROOT)), value);
    }

    boolean isEmpty() {
        return values.isEmpty();
    }

    Map<String, Object> object() {
        return values;
    }

    /** The query with its {@code ?}; empty if there are no values. */
    String query() {
        String query = values.entrySet().stream()
                .map(field -> field.getKey() + "=" + encoded(field.getValue().toString()))
                .collect(Collectors.joining("&"));
        return query.isEmpty() ? "" : "?" + query;
    }

    /** The values as a verb's options, each with a blank in front. */
    String options() {
        return values.entrySet().stream()
                .map(field ->
                        " --" + field.getKey().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT) + " "
                                + quoted(field.getValue().toString()))
                .collect(Collectors.joining());
    }

    /** The text so that a shell takes it for one word. */
    static String quoted(String text) {
        String line = Printable.line(text);
        return line.matches("[\\w./:@%+,-]+") ? line : "'" + line.replace("'", "'\\''") + "'";
    }

    /** Percent-encoded for a query or a path. A blank doesn't become a plus sign, which a path takes for itself. */
    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
