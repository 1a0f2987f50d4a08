package dev.holdfast.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.holdfast.ApiDocument;
import dev.holdfast.Gateway;
import dev.holdfast.Storage;
import dev.holdfast.config.HoldfastConfig;
import dev.holdfast.config.LoadedConfig;
import dev.holdfast.push.PushWatcher;
import dev.holdfast.signature.SignatureScheme;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** A whole gateway on free ports, as a test sees it from outside. */
final class GatewayUnderTest implements AutoCloseable {
    static final String SECRET = "a-secret-of-the-tests-0123456789";

    private final Gateway gateway;

    private GatewayUnderTest(Gateway gateway) {
        this.gateway = gateway;
    }

    static GatewayUnderTest start(GatewaySettings settings, Path directory) {
        return new GatewayUnderTest(Gateway.start(settings.in(directory), PushWatcher.NONE, stop -> {}));
    }

    static GatewayUnderTest start(HoldfastConfig config) {
        return new GatewayUnderTest(Gateway.start(config, PushWatcher.NONE, stop -> {}));
    }

    static GatewayUnderTest start(GatewaySettings settings, Path directory, Storage.Opener opener) {
        return start(settings.in(directory), opener);
    }

    private static GatewayUnderTest start(HoldfastConfig config, Storage.Opener opener) {
        return new GatewayUnderTest(Gateway.start(config, PushWatcher.NONE, opener, System.getenv(), stop -> {}));
    }

    /** Stopped while its port opens by whoever is told by what. */
    static GatewayUnderTest start(GatewaySettings settings, Path directory, Consumer<Runnable> opening) {
        return new GatewayUnderTest(Gateway.start(settings.in(directory), PushWatcher.NONE, opening));
    }

    /** Traced as these variables ask. */
    static GatewayUnderTest traced(
            GatewaySettings settings, Path directory, Storage.Opener opener, Map<String, String> environment) {
        return new GatewayUnderTest(
                Gateway.start(settings.in(directory), PushWatcher.NONE, opener, environment, stop -> {}));
    }

    static byte[] bytes(String body) {
        return body.getBytes(UTF_8);
    }

    static String sign(byte[] body) {
        return sign(body, SECRET);
    }

    static String sign(byte[] body, String secret) {
        return SignatureScheme.sign(body, secret.getBytes(UTF_8));
    }

    /** An envelope with a field {@code n} that tells one push from another. */
    static String envelope(String event, int n) {
        return envelope(event, "ent-1", n);
    }

    static String envelope(String event, String enterprise, int n) {
        return "{\"id\":\"sub_" + enterprise + "_1700000000\",\"event\":\"" + event + "\",\"enterprise_token\":\""
                + enterprise + "\",\"created_at\":1700000000,\"n\":" + n + "}";
    }

    /** The head and the body of a signed push. */
    static byte[] signed(String body) {
        return signed(bytes(body));
    }

    static byte[] signed(byte[] body) {
        return request(body, "Service-Signature: " + sign(body));
    }

    /** A POST to {@code /webhook} with the given header lines beside Host and Content-Length. */
    static byte[] request(byte[] body, String... headers) {
        return requestTo("/webhook", body, headers);
    }

    static byte[] requestTo(String path, byte[] body, String... headers) {
        StringBuilder head = new StringBuilder("POST " + path + " HTTP/1.1\r\nHost: gateway\r\n");
        for (String header : headers) {
            head.append(header).append("\r\n");
        }
        byte[] start = bytes(head.append("Content-Length: ")
                .append(body.length)
                .append("\r\n\r\n")
                .toString());
        byte[] whole = new byte[start.length + body.length];
        System.arraycopy(start, 0, whole, 0, start.length);
        System.arraycopy(body, 0, whole, start.length, body.length);
        return whole;
    }

    Gateway gateway() {
        return gateway;
    }

    int port() {
        return gateway.port();
    }

    int managementPort() {
        return gateway.managementPort();
    }

    RawConnection connect() {
        return new RawConnection(gateway.port());
    }

    RawConnection connectFrom(String address) {
        return new RawConnection(gateway.port(), address);
    }

    /** One request on a connection of its own. */
    HttpAnswer send(byte[] request) {
        try (RawConnection connection = connect()) {
            return connection.send(request).answer();
        }
    }

    HttpAnswer push(String body) {
        return send(signed(body));
    }

    HttpAnswer push(byte[] body) {
        return send(signed(body));
    }

    /** What a GET of the management port is answered, held against the API's document. */
    HttpAnswer management(String path) {
        return ask("GET", path, "\r\n");
    }

    /** The same of a POST. */
    HttpAnswer manage(String path, String json) {
        return ask(
                "POST",
                path,
                "Content-Type: application/json\r\nContent-Length: " + bytes(json).length + "\r\n\r\n" + json);
    }

    /** The same of any method; {@code rest} is what comes after {@code Host}. */
    HttpAnswer ask(String method, String path, String rest) {
        HttpAnswer answer;
        try (RawConnection connection = new RawConnection(gateway.managementPort())) {
            answer = connection
                    .send(bytes(method + " " + path + " HTTP/1.1\r\nHost: localhost\r\n" + rest))
                    .answer();
        }
        if (path.startsWith(ApiDocument.API)) {
            ApiDocument.shipped().check(method, path, answer.status(), answer.header("content-type"), answer.body());
        }
        return answer;
    }

    boolean isReady() {
        return management("/readyz").status() == 200;
    }

    /** Sum of the series of a metric that have at least the given labels, such as {@code name{label="value"}}; 0 when there is none. */
    double metric(String series) {
        return Scrape.of(management("/metrics").body()).sum(series);
    }

    double refusals(String cause) {
        return metric("holdfast_receiver_refusals_total{cause=\"" + cause + "\"}");
    }

    /** Whether that differs from what was in force. */
    boolean reconfigure(GatewaySettings settings, Path directory) {
        return gateway.reload().changed(new LoadedConfig(settings.in(directory), List.of(), Map.of()));
    }

    Vertx vertx() {
        return gateway.vertx();
    }

    @Override
    public void close() {
        gateway.stop();
    }
}
