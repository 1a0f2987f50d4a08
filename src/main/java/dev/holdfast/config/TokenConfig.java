package dev.holdfast.config;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How the access token is got and renewed (interface, sections 4.1 and 5.1).
 *
 * @param baseUrl {@code https}, or {@code http} where that is allowed; without a slash at its end
 * @param path of the exchange, below {@code baseUrl}
 * @param code authorization code to begin with; null: none
 * @param renewAt the part of a token's lifetime after which it is renewed
 * @param jitter the part of the lifetime by which the renewal comes earlier at most, at random
 * @param expiresInUnit what the service counts lifetimes in, which the interface doesn't say
 * @param requestTimeout for one request, from connecting to the end of its answer
 * @param renewal null: tokens are never renewed
 * @param allowHttp whether secrets may go to another machine without TLS
 * @param trust PEM file with the certificates to trust instead of Java's; null: Java's
 * @param key what the kept token is encrypted with; null: it is not
 */
public record TokenConfig(
        URI baseUrl,
        String path,
        String appId,
        Secret appSecret,
        @Nullable Secret code,
        double renewAt,
        double jitter,
        ExpiryUnit expiresInUnit,
        Duration requestTimeout,
        @Nullable RenewalConfig renewal,
        boolean allowHttp,
        @Nullable Path trust,
        @Nullable Secret key) {

    /** What is wrong with the file of {@code trust} now; empty: nothing, or none is named. Reads the file. */
    public String trustMistake() {
        try {
            if (trust != null) {
                NamedFiles.certificates(trust);
            }
            return "";
        } catch (InvalidValue e) {
            return "token.trust: " + e.getMessage();
        }
    }

    /** What a lifetime is counted in. */
    public enum ExpiryUnit {
        SECONDS,
        MILLISECONDS
    }
}
