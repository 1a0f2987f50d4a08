package dev.holdfast.consumer;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.holdfast.config.ConsumerOptions;
import dev.holdfast.config.TimeSpan;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.PemTrustOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What stands under an {@code http} consumer's {@code options:}.
 *
 * @param requestTimeout from the attempt's begin to the end of the answer, with the wait for a connection
 * @param maxResponse bytes of an answer's body that are read
 * @param trust PEM file with the authorities trusted instead of Java's own
 * @param cloudEvents whether pushes are sent as CloudEvents
 */
record HttpOptions(
        Target target,
        Duration connectTimeout,
        Duration requestTimeout,
        int connections,
        long maxResponse,
        Optional<Path> trust,
        boolean cloudEvents) {
    private static final List<String> KEYS =
            List.of("url", "connect-timeout", "request-timeout", "connections", "max-response", "trust", "format");
    private static final long KIB = 1024;
    private static final Duration USUAL_TIMEOUT = Duration.ofSeconds(20);
    private static final Duration LONGEST_CONNECT = Duration.ofHours(1);

    /**
     * @param timeout how long the consumer's attempts may take: a request that outlived its attempt could overtake the next
     * @throws IllegalArgumentException on a mistake, without showing a value
     */
    static HttpOptions read(String consumer, Duration timeout, Map<String, Object> values) {
        ConsumerOptions options = new ConsumerOptions(consumer, values, KEYS);
        Target target = Target.parse(options.text("url"))
                .orElseThrow(() -> options.mistake("url", "a value that is not shown", Target.EXPECTED));
        Duration requestTimeout = options.duration("request-timeout", shorter(USUAL_TIMEOUT, timeout));
        if (requestTimeout.compareTo(timeout) > 0) {
            throw options.mistake(
                    "request-timeout", "more than the consumer's timeout", "at most that: " + TimeSpan.show(timeout));
        }
        Optional<Path> trust = options.optionalPath("trust");
        trust.filter(file -> !hasCertificate(file)).ifPresent(file -> {
            throw options.mistake("trust", "no certificate in " + file, "a readable PEM file with at least one");
        });
        return new HttpOptions(
                target,
                options.duration("connect-timeout", LONGEST_CONNECT, Duration.ofSeconds(5)),
                requestTimeout,
                options.count("connections", 1, 10_000, 16),
                options.size("max-response", 0, KIB * KIB * KIB, 64 * KIB),
                trust,
                options.word("format", CloudEvents.FORMATS, "push").equals("cloudevents"));
    }

    /** Vert.x looks when it connects, and then every attempt would fail for ever. */
    private static boolean hasCertificate(Path file) {
        try {
            return Files.readString(file, ISO_8859_1).contains("-----BEGIN CERTIFICATE-----");
        } catch (IOException e) {
            return false;
        }
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    /** HTTP/2 where the server offers it in the TLS handshake, else HTTP/1.1. */
    HttpClientOptions client() {
        HttpClientOptions client = new HttpClientOptions().setConnectTimeout((int) connectTimeout.toMillis());
        if (target.tls()) {
            client.setSsl(true).setUseAlpn(true).setProtocolVersion(HttpVersion.HTTP_2);
            trust.ifPresent(file -> client.setTrustOptions(new PemTrustOptions().addCertPath(file.toString())));
        }
        return client;
    }
}
