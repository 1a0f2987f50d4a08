package dev.holdfast.tracing;

import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * What must not be shown of the {@code OTEL_} variables: the headers' values, which hold the key to a collector, and
 * everything of an address except scheme, host and port, since some have the key in the path or the query. The SDK
 * quotes a variable that it complains of. Immutable.
 */
final class TracingSecrets {
    private static final String HIDDEN = "***";
    /** Shorter values occur in unrelated texts. */
    private static final int SHORTEST = 3;

    /** The texts to hide, the longest first, since one may contain another. */
    private final SortedSet<String> texts =
            new TreeSet<>(Comparator.comparingInt(String::length).reversed().thenComparing(text -> text));

    TracingSecrets(Map<String, String> environment) {
        environment.forEach((name, value) -> {
            if (name.startsWith("OTEL_") && name.endsWith("_HEADERS")) {
                addHeaders(value);
            } else if (name.startsWith("OTEL_") && name.endsWith("_ENDPOINT")) {
                addAddress(value);
            }
        });
    }

    private void addHeaders(String value) {
        add(value);
        for (String header : value.split(",", -1)) {
            String one = header.substring(header.indexOf('=') + 1);
            add(one);
            add(decoded(one));
        }
    }

    private static String decoded(String value) {
        try {
            return URLDecoder.decode(value, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException notEncoded) {
            return value;
        }
    }

    /**
     * Adds the secret parts of an address. What can't be read as an address is hidden in whole, as it is quoted in
     * whole.
     */
    private void addAddress(String value) {
        add(shown(value).equals(HIDDEN) ? value : "");
        String behindScheme = value.replaceFirst("^[^/]*//", "");
        add(behindScheme.indexOf('/') < 0 ? "" : behindScheme.substring(behindScheme.indexOf('/')));
        add(behindScheme.indexOf('?') < 0 ? "" : behindScheme.substring(behindScheme.indexOf('?') + 1));
        add(behindScheme.indexOf('@') < 0 ? "" : behindScheme.substring(0, behindScheme.indexOf('@')));
    }

    private void add(String text) {
        if (text.strip().length() >= SHORTEST) {
            texts.add(text.strip());
        }
    }

    /** The message without the secrets. */
    String hide(String message) {
        String shown = message;
        for (String text : texts) {
            shown = shown.replace(text, HIDDEN);
        }
        return shown;
    }

    /** What may be shown of an address. */
    static String shown(String address) {
        try {
            URI uri = URI.create(address);
            String port = uri.getPort() < 0 ? "" : ":" + uri.getPort();
            return uri.getHost() == null ? HIDDEN : uri.getScheme() + "://" + uri.getHost() + port;
        } catch (IllegalArgumentException e) {
            return HIDDEN;
        }
    }
}
