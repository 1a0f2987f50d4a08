package dev.holdfast.config;

import java.net.URI;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Makes the {@link TokenConfig} out of its section. */
final class TokenSection {
    private static final String EXCHANGE_PATH = "/open/v1/oauth2/access-token";
    private static final String NO_RENEWAL = "none";
    private static final Set<String> LOOPBACK = Set.of("127.0.0.1", "localhost", "[::1]");
    private static final URI NOWHERE = URI.create("https://localhost");

    private final Section section;

    private TokenSection(Section section) {
        this.section = section;
    }

    /** The section's record; null when it is left out. */
    static @Nullable TokenConfig read(Section root) {
        Section section = root.section("token", TokenConfig.class);
        return root.isSection("token") ? new TokenSection(section).token() : null;
    }

    private TokenConfig token() {
        boolean allowHttp = section.value("allow-http", ValueType.FLAG, false);
        String path = section.value("path", ValueType.URL_PATH, EXCHANGE_PATH);
        double renewAt = section.value("renew-at", ValueType.number(0.1, 0.95), 0.8);
        return new TokenConfig(
                baseUrl(allowHttp),
                path,
                section.required("app-id", ValueType.APP_ID, ""),
                section.required("app-secret", ValueType.SECRET, new Secret("")),
                section.optional("code", ValueType.SECRET),
                renewAt,
                jitter(renewAt),
                section.value("expires-in-unit", ValueType.EXPIRY_UNIT, TokenConfig.ExpiryUnit.SECONDS),
                section.value("request-timeout", ValueType.TIMEOUT, Duration.ofSeconds(10)),
                renewal(path),
                allowHttp,
                section.optionalFile("trust", NamedFiles::certificates),
                key());
    }

    private URI baseUrl(boolean allowHttp) {
        URI url = section.required("base-url", ValueType.BASE_URL, NOWHERE);
        boolean https = "https".equalsIgnoreCase(url.getScheme());
        if (!https && !allowHttp && !LOOPBACK.contains(url.getHost().toLowerCase(Locale.ROOT))) {
            section.problem(
                    "base-url",
                    section.found("base-url") + ", over which others can read the secrets",
                    "https, a loopback address, or allow-http: true");
        }
        return url;
    }

    private double jitter(double renewAt) {
        double jitter = section.value("jitter", ValueType.number(0, 0.5), 0.05);
        if (jitter >= renewAt) {
            section.problem("jitter", String.valueOf(jitter), "less than renew-at, which is " + renewAt);
        }
        return jitter;
    }

    private @Nullable Secret key() {
        Secret key = section.optional("key", ValueType.SECRET);
        if (key != null && key.isWeak()) {
            section.warning("key", "a key of less than 128 bits", "more: whoever has the file can guess it");
        }
        return key;
    }

    private @Nullable RenewalConfig renewal(String exchangePath) {
        if (section.isText("renewal", NO_RENEWAL)) {
            return null;
        }
        if (section.holds("renewal") && !section.isSection("renewal")) {
            section.problem("renewal", section.found("renewal"), "a section, or " + NO_RENEWAL);
            return null;
        }
        Section renewal = section.section("renewal", RenewalConfig.class);
        String path = renewal.value("path", ValueType.URL_PATH, exchangePath);
        return new RenewalConfig(path, parameters(renewal));
    }

    private static Map<String, String> parameters(Section renewal) {
        if (!renewal.holds("parameters")) {
            return RenewalConfig.assumedParameters();
        }
        Map<String, String> parameters = renewal.texts("parameters");
        parameters.forEach((name, value) -> {
            if (value.startsWith("{") && value.endsWith("}") && !RenewalConfig.PLACEHOLDERS.contains(value)) {
                renewal.problem(
                        "parameters",
                        "an unknown placeholder at " + name,
                        "one of " + RenewalConfig.PLACEHOLDERS.stream().sorted().toList() + ", or a plain value");
            }
        });
        if (!parameters.containsValue(RenewalConfig.REFRESH_TOKEN)) {
            renewal.problem("parameters", "no " + RenewalConfig.REFRESH_TOKEN, "a parameter with it, or renewal: none");
        }
        return parameters;
    }
}
