package dev.holdfast.consumer;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Base64;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where pushes are forwarded to. User, password, path and query of the URL may be secrets: {@link #toString()} has none of
 * them.
 *
 * @param uri path and query as written
 * @param authorization value of the {@code Authorization} header that the URL's user and password make; null without them
 */
record Target(
        boolean tls,
        String host,
        int port,
        String uri,
        @Nullable String authorization) {
    static final String EXPECTED = "a URL such as https://receiver.example/webhook";

    /** Empty when {@code url} is none with {@code http} or {@code https} and a host. */
    static Optional<Target> parse(String url) {
        try {
            URI parsed = new URI(new URI(url).toASCIIString());
            boolean tls = "https".equalsIgnoreCase(parsed.getScheme());
            boolean http = tls || "http".equalsIgnoreCase(parsed.getScheme());
            return !http || parsed.getHost() == null || parsed.getPort() > 65_535
                    ? Optional.empty()
                    : Optional.of(
                            new Target(tls, parsed.getHost(), port(parsed, tls), uri(parsed), authorization(parsed)));
        } catch (URISyntaxException e) {
            return Optional.empty();
        }
    }

    private static int port(URI url, boolean tls) {
        int standard = tls ? 443 : 80;
        return url.getPort() < 0 ? standard : url.getPort();
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

    @Override
    public String toString() {
        return (tls ? "https://" : "http://") + host + ":" + port;
    }
}
