package dev.holdfast.consumer.http;

import dev.holdfast.config.ConsumerOptions;
import dev.holdfast.config.TimeSpan;
import dev.holdfast.config.TlsIdentity;
import dev.holdfast.consumer.format.CloudEvents;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.core.net.ProxyOptions;
import io.vertx.core.net.ProxyType;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * An {@code http} consumer's {@code options:}.
 *
 * @param connectTimeout of each step of making a connection: TCP, a proxy's tunnel, TLS
 * @param requestTimeout from the attempt's beginning to the end of the answer, the wait for a connection included
 * @param maxResponse bytes of an answer's body that are read
 * @param trust PEM of the authorities to trust instead of Java's own
 * @param clientCertificate for a server that asks for one
 * @param proxy that requests are sent to instead; only its host, port and authorization count
 * @param headers sent with each push, values by name; any of them may be a secret
 * @param cloudEvents whether pushes are sent as CloudEvents
 */
record HttpOptions(
        TargetUrl target,
        Duration connectTimeout,
        Duration requestTimeout,
        long maxResponse,
        Optional<String> trust,
        Optional<TlsIdentity> clientCertificate,
        Optional<TargetUrl> proxy,
        Map<String, String> headers,
        boolean cloudEvents) {
    private static final List<String> KEYS = List.of(
            "url",
            "connect-timeout",
            "request-timeout",
            "max-response",
            "trust",
            "client-certificate",
            "proxy",
            "headers",
            "bearer-token",
            "format");
    private static final String PROXY =
            "a URL such as http://proxy.example:3128 or http://user:password@proxy.example:3128";
    private static final long KIB = 1024;
    /**
     * Largest head of an answer. A longer one counts as no answer, and the push would come again though it was taken.
     * Vert.x's default of 8 KiB is some cookies.
     */
    private static final int LARGEST_HEAD = 65_536;

    private static final Duration USUAL_TIMEOUT = Duration.ofSeconds(20);
    private static final Duration LONGEST_CONNECT = Duration.ofHours(1);

    /**
     * @param timeout of the consumer's attempts: a request that outlived its attempt could overtake the next one
     * @param signatureHeaders names of the headers with the endpoints' signatures
     * @param files gets each PEM file before it is read
     * @throws IllegalArgumentException on a mistake, without showing a value
     */
    static HttpOptions read(
            String consumer,
            Duration timeout,
            Collection<String> signatureHeaders,
            Map<String, Object> values,
            Consumer<Path> files) {
        ConsumerOptions options = new ConsumerOptions(consumer, values, KEYS, files);
        TargetUrl target = TargetUrl.parse(options.text("url"))
                .orElseThrow(() -> options.mistake("url", "a value that is not shown", TargetUrl.EXPECTED));
        Duration requestTimeout = options.duration("request-timeout", Collections.min(List.of(USUAL_TIMEOUT, timeout)));
        if (requestTimeout.compareTo(timeout) > 0) {
            throw options.mistake(
                    "request-timeout", "more than the consumer's timeout", "at most that: " + TimeSpan.show(timeout));
        }
        return new HttpOptions(
                target,
                options.duration("connect-timeout", LONGEST_CONNECT, Duration.ofSeconds(5)),
                requestTimeout,
                options.size("max-response", 0, KIB * KIB * KIB, 64 * KIB),
                options.certificates("trust"),
                clientCertificate(options, target),
                proxy(options),
                ExtraHeaders.read(options, target, signatureHeaders),
                options.word("format", CloudEvents.FORMATS, "push").equals("cloudevents"));
    }

    private static Optional<TargetUrl> proxy(ConsumerOptions options) {
        return options.optionalText("proxy")
                .map(url -> TargetUrl.parse(url)
                        .filter(proxy -> !proxy.tls() && proxy.uri().equals("/"))
                        .orElseThrow(() -> options.mistake("proxy", "a value that is not shown", PROXY)));
    }

    private static Optional<TlsIdentity> clientCertificate(ConsumerOptions options, TargetUrl target) {
        return options.section("client-certificate", List.of("certificate", "key"))
                .map(section -> {
                    if (!target.tls()) {
                        throw options.mistake("client-certificate", "one for a url without TLS", "a url with https");
                    }
                    return section.identity();
                });
    }

    /**
     * The client's options. HTTP/1.1, since a request with a connection of its own neither waits for another request
     * nor ends with it.
     */
    HttpClientOptions client() {
        HttpClientOptions client = new HttpClientOptions()
                .setConnectTimeout((int) connectTimeout.toMillis())
                .setMaxHeaderSize(LARGEST_HEAD);
        if (target.tls()) {
            client.setSsl(true)
                    .setSslHandshakeTimeout(connectTimeout.toMillis())
                    .setSslHandshakeTimeoutUnit(TimeUnit.MILLISECONDS);
            clientCertificate.ifPresent(own -> client.setKeyCertOptions(own.pem()));
            trust.ifPresent(pem -> client.setTrustOptions(new PemTrustOptions().addCertValue(Buffer.buffer(pem))));
        }
        proxy.ifPresent(proxy -> client.setProxyOptions(new ProxyOptions()
                .setType(ProxyType.HTTP)
                .setHost(proxy.host())
                .setPort(proxy.port())
                .setProxyAuthorization(proxy.authorization())
                .setConnectTimeout(connectTimeout)));
        return client;
    }

    /** The target, without anything that may be a secret. */
    @Override
    public String toString() {
        return target + proxy.map(by -> " by the proxy " + by).orElse("");
    }
}
