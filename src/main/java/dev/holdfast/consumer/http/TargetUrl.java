package dev.holdfast.consumer.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.holdfast.consumer.format.HeaderText;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Base64;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where pushes are forwarded to. User, password, path and query of the URL may be secrets: {@link #toString()} has none of
 * them.
 *
 * @param uri path and query as written
 * @param authorization value of the {@code Authorization} header that the URL's user and password make; null without them
 */
record TargetUrl(
        boolean tls,
        String host,
        int port,
        String uri,
        @Nullable String authorization) {
    static final String EXPECTED = "a URL such as https://receiver.example/webhook";

    /** Hosts with an underscore, as in containers' networks, which {@link URI} doesn't accept. */
    private static final Pattern UNDERSCORED = Pattern.compile("([A-Za-z0-9_.-]+)(?::(\\d{1,5}))?");

    /** Empty if {@code url} is no URL with {@code http} or {@code https} and a host. */
    static Optional<TargetUrl> parse(String url) {
        try {
            URI parsed = new URI(new URI(url).toASCIIString());
            boolean tls = "https".equalsIgnoreCase(parsed.getScheme());
            boolean http = tls || "http".equalsIgnoreCase(parsed.getScheme());
            return http ? parse(parsed, tls ? 443 : 80, tls) : Optional.empty();
        } catch (URISyntaxException e) {
            return Optional.empty();
        }
    }

    private static Optional<TargetUrl> parse(URI url, int standardPort, boolean tls) {
        String host = url.getHost();
        int port = url.getPort();
        if (host == null) {
            Matcher underscored = UNDERSCORED.matcher(Objects.requireNonNullElse(url.getRawAuthority(), ""));
            if (!underscored.matches()) {
                return Optional.empty();
            }
            host = underscored.group(1);
            port = underscored.group(2) == null ? -1 : Integer.parseInt(underscored.group(2));
        }
        return port == 0 || port > 65_535
                ? Optional.empty()
                : Optional.of(new TargetUrl(tls, host, port < 0 ? standardPort : port, uri(url), authorization(url)));
    }

    private static String uri(URI url) {
        String path = url.getRawPath().isEmpty() ? "/" : url.getRawPath();
        return url.getRawQuery() == null ? path : path + "?" + url.getRawQuery();
    }

    private static @Nullable String authorization(URI url) {
        return url.getUserInfo() == null
                ? null
                : "Basic "
                        + Base64.getEncoder().encodeToString(url.getUserInfo().getBytes(UTF_8));
    }

    /**
     * Path and query for a push. The push's own query is appended to the URL's.
     *
     * @param pushed the push's query as received, without the {@code ?}; may be empty. Characters that no URL has are
     *     percent-encoded
     */
    String uri(String pushed) {
        if (pushed.isEmpty()) {
            return uri;
        }
        String join = uri.indexOf('?') < 0 ? "?" : uri.endsWith("?") || uri.endsWith("&") ? "" : "&";
        return uri + join + HeaderText.visible(pushed);
    }

    @Override
    public String toString() {
        return (tls ? "https://" : "http://") + host + ":" + port;
    }
}
