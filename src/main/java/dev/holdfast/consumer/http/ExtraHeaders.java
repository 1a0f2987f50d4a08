package dev.holdfast.consumer.http;

import dev.holdfast.config.ConsumerOptions;
import dev.holdfast.config.EndpointConfig;
import java.util.Collection;
import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * The headers that an {@code http} consumer is configured to send with each push: those under {@code headers}, and the
 * {@code Authorization} that {@code bearer-token} or the URL's user makes. Any value may be a secret: none is ever shown.
 */
final class ExtraHeaders {
    private static final String AUTHORIZATION = "Authorization";
    /** Headers of one connection (RFC 9110, 7.6.1), and those that say where a message goes and where it ends. */
    private static final Set<String> OF_THE_CONNECTION = Set.of(
            "connection",
            "content-length",
            "expect",
            "host",
            "http2-settings",
            "keep-alive",
            "proxy-authenticate",
            "proxy-authorization",
            "proxy-connection",
            "te",
            "trailer",
            "transfer-encoding",
            "upgrade");

    private static final Set<String> OF_THE_PUSH = Set.of("content-type", "content-encoding");
    private static final String HOLDFASTS_OWN = "holdfast-";
    private static final Pattern NAME = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");
    private static final Pattern VALUE = Pattern.compile("[!-~]([ -~\\t]*[!-~])?");
    private static final Pattern TOKEN = Pattern.compile("[!-~]+");

    private final ConsumerOptions options;
    private final TargetUrl target;
    private final Set<String> signatureHeaders = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
    private final Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);

    private ExtraHeaders(ConsumerOptions options, TargetUrl target, Collection<String> signatureHeaders) {
        this.options = options;
        this.target = target;
        this.signatureHeaders.add(EndpointConfig.PUBLISHED_SIGNATURE_HEADER);
        this.signatureHeaders.addAll(signatureHeaders);
    }

    /**
     * The headers' values by name.
     *
     * @param signatureHeaders names of the headers with the endpoints' signatures
     * @throws IllegalArgumentException on a mistake, without showing a value
     */
    static Map<String, String> read(ConsumerOptions options, TargetUrl target, Collection<String> signatureHeaders) {
        ExtraHeaders extra = new ExtraHeaders(options, target, signatureHeaders);
        options.texts("headers").forEach(extra::add);
        extra.authorize();
        return Collections.unmodifiableMap(extra.headers);
    }

    private void add(String name, String value) {
        String key = "headers." + name;
        if (!NAME.matcher(name).matches()) {
            throw options.mistake(key, "no header's name", "one such as X-Api-Key");
        }
        requireFree(key, name);
        if (!VALUE.matcher(value).matches()) {
            throw options.mistake(key, "a value that is not shown", "visible ASCII, with blanks only inside");
        }
        if (headers.put(name, value) != null) {
            throw options.mistake(key, "the header once more in other letters", "each header once");
        }
    }

    private void requireFree(String key, String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        if (OF_THE_CONNECTION.contains(lower)) {
            throw options.mistake(key, "a header that HTTP itself uses", "another one");
        }
        if (signatureHeaders.contains(name)) {
            throw options.mistake(key, "the header of an endpoint's signature", "another one");
        }
        if (OF_THE_PUSH.contains(lower) || lower.startsWith(HOLDFASTS_OWN)) {
            throw options.mistake(key, "a header that each push has its own of", "another one");
        }
    }

    private void authorize() {
        String token = options.optionalText("bearer-token").orElse(null);
        if (token != null && !TOKEN.matcher(token).matches()) {
            throw options.mistake("bearer-token", "a value that is not shown", "visible ASCII without blanks");
        }
        if (token != null && target.authorization() != null) {
            throw options.mistake("bearer-token", "a token beside a user in the url", "one of the two");
        }
        String authorization = token == null ? target.authorization() : "Bearer " + token;
        if (authorization != null && headers.put(AUTHORIZATION, authorization) != null) {
            throw options.mistake(
                    token == null ? "url" : "bearer-token",
                    (token == null ? "a user" : "a token") + " beside a header Authorization",
                    "one of the two");
        }
    }
}
