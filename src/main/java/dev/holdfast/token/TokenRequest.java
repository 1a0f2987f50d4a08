package dev.holdfast.token;

import dev.holdfast.config.RenewalConfig;
import dev.holdfast.config.TokenConfig;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One {@code GET} for a token. It writes itself without the parameters, which are secrets.
 *
 * @param kind for logs and metrics
 * @param parameters of the query, not encoded, in order
 * @param secrets that an answer might send back and that must not be shown
 * @param refreshToken that it renews with; empty if none
 * @param usesCode fingerprint of the authorization code that it uses up; null: none
 */
record TokenRequest(
        Kind kind,
        String path,
        Map<String, String> parameters,
        List<String> secrets,
        String refreshToken,
        @Nullable String usesCode) {
    /** Names of parameters whose configured values must not be shown. */
    private static final Pattern SECRET_NAME = Pattern.compile("(?i).*(secret|passw|key|token|credential|auth|sign).*");
    /** A shorter value is an ordinary word, which also occurs in other texts. */
    private static final int LEAST_SECRET = 4;

    /** What is asked for. */
    enum Kind {
        EXCHANGE,
        RENEWAL;

        /** As it is shown. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** The exchange of an authorization code (interface, section 4.1). */
    static TokenRequest exchange(TokenConfig config, String code) {
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("appId", config.appId());
        parameters.put("appSecret", config.appSecret().reveal());
        parameters.put("code", code);
        parameters.put("grantType", "authorization_code");
        return new TokenRequest(
                Kind.EXCHANGE,
                config.path(),
                parameters,
                List.of(config.appSecret().reveal(), code),
                "",
                Fingerprint.ofCode(config, code));
    }

    /** The renewal as configured: the interface doesn't show it. */
    static TokenRequest renewal(TokenConfig config, RenewalConfig renewal, TokenPair pair) {
        String appSecret = config.appSecret().reveal();
        Map<String, String> parameters = new LinkedHashMap<>();
        renewal.parameters()
                .forEach((name, value) -> parameters.put(
                        name,
                        switch (value) {
                            case RenewalConfig.APP_ID -> config.appId();
                            case RenewalConfig.APP_SECRET -> appSecret;
                            case RenewalConfig.REFRESH_TOKEN -> pair.refreshToken();
                            default -> value;
                        }));
        List<String> secrets = new ArrayList<>(List.of(appSecret, pair.refreshToken(), pair.accessToken()));
        parameters.forEach((name, value) -> {
            if (SECRET_NAME.matcher(name).matches() && value.length() >= LEAST_SECRET) {
                secrets.add(value);
            }
        });
        return new TokenRequest(Kind.RENEWAL, renewal.path(), parameters, secrets, pair.refreshToken(), null);
    }

    @Override
    public String toString() {
        return "TokenRequest[kind=" + kind + ", path=" + path + "]";
    }
}
