package dev.holdfast.token;

import dev.holdfast.config.RenewalConfig;
import dev.holdfast.config.Secret;
import dev.holdfast.config.TokenConfig;
import dev.holdfast.config.TokenConfig.ExpiryUnit;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A token section that a test changes where it matters. */
final class TokenSettings {
    static final String APP_ID = "app one";
    /** What has to be encoded in a query, of every kind. */
    static final String APP_SECRET = "s&cr+t %26=?#/ \u00e4\u20ac\ud83d\ude00;x";

    static final String PATH = "/open/v1/oauth2/access-token";

    String baseUrl = "http://127.0.0.1:1";
    String appId = APP_ID;
    String appSecret = APP_SECRET;

    @Nullable
    String code;

    double renewAt = 0.8;
    double jitter = 0.05;
    ExpiryUnit unit = ExpiryUnit.SECONDS;
    Duration requestTimeout = Duration.ofSeconds(10);
    boolean renews = true;
    String renewalPath = PATH;
    Map<String, String> renewalParameters = RenewalConfig.assumedParameters();

    @Nullable
    Path trust;

    @Nullable
    String key;

    TokenSettings at(int port) {
        baseUrl = "http://127.0.0.1:" + port;
        return this;
    }

    TokenSettings code(@Nullable String code) {
        this.code = code;
        return this;
    }

    TokenConfig config() {
        return new TokenConfig(
                URI.create(baseUrl),
                PATH,
                appId,
                new Secret(appSecret),
                code == null ? null : new Secret(code),
                renewAt,
                jitter,
                unit,
                requestTimeout,
                renews ? new RenewalConfig(renewalPath, renewalParameters) : null,
                false,
                trust,
                key == null ? null : new Secret(key));
    }
}
