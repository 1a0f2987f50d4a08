package dev.holdfast.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.HeldPort;
import dev.holdfast.signature.SignatureScheme;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.RequestOptions;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A signal to a gateway that is sent pushes, or is about to be. */
@Timeout(900)
final class DrainIT {
    private static final long DRAIN_NANOS = 6_000_000_000L;
    /** How long before the port closes a push must have been sent so that it can't have met the closing. */
    private static final long MARGIN_NANOS = 3_000_000_000L;

    @TempDir
    Path directory;

    private final PushClient client = new PushClient();
    private Installation installation;

    @BeforeEach
    void install() throws IOException {
        installation = new Installation(directory);
        installation.configureAsShipped();
    }

    @AfterEach
    void remove() {
        installation.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"TERM", "INT"})
    void aSignalDrainsItAndNoPushIsLostUntilThePortCloses(String signal) throws Exception {
        installation.edit("drain-delay: 5s", "drain-delay: " + DRAIN_NANOS / 1_000_000 + "ms");
        Child gateway = installation.running();
        Traffic traffic = Traffic.start(gateway.webhook(), Installation.SECRET, 200, 0);
        traffic.awaitAnswers(200);

        long before = traffic.sentSoFar();
        long early = System.nanoTime() + DRAIN_NANOS - MARGIN_NANOS;
        gateway.signal(signal);
        Await.until(
                "readiness is red",
                () -> client.get(gateway.management("/readyz")).statusCode() == 503);
        long safe = sentBefore(early, traffic);
        assertThat(gateway.awaitExit()).isZero();
        traffic.stop();

        assertThat(safe).as("sent after the signal").isGreaterThan(before);
        assertThat(traffic.sent().stream()
                        .sorted(Comparator.comparingLong(SentPush::due))
                        .limit(safe))
                .allSatisfy(push -> assertThat(push.status()).isEqualTo(200));
        assertThat(traffic.sent()).allSatisfy(push -> assertThat(push.status()).isIn(200, 0));
        assertThat(new Evidence(traffic.sent(), KeptPush.all(installation.path("data")), List.of()).journalComplaints())
                .isEmpty();
    }

    /** Some milliseconds before the start is over: the moment in which a client that waits for the port comes. */
    @Test
    void aSignalThatComesAsThePortOpensDrainsIt() throws Exception {
        try (HeldPort port = new HeldPort()) {
            installation.configure("");
            installation.edit("  port: 0\n  endpoints", "  port: " + port.number() + "\n  endpoints");
            installation.edit("drain-delay: 0s", "drain-delay: 2s");
            byte[] body = "{}".getBytes(StandardCharsets.UTF_8);
            String signature = SignatureScheme.sign(body, Installation.SECRET.getBytes(StandardCharsets.UTF_8));
            String head = "POST /webhook HTTP/1.1\r\nHost: gateway\r\nService-Signature: " + signature
                    + "\r\nContent-Length: 2\r\n\r\n";
            Child gateway = installation.run();

            try (Socket socket = connectAsSoonAsItOpens(gateway, port.number())) {
                socket.getOutputStream().write(head.getBytes(StandardCharsets.UTF_8));
                ProcessHandle.of(gateway.pid()).orElseThrow().destroy();
                gateway.awaitLog("stopping: pushes are accepted");
                socket.getOutputStream().write(body);

                assertThat(new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))
                                .readLine())
                        .isEqualTo("HTTP/1.1 200 OK");
            }
            assertThat(gateway.awaitExit()).isZero();
        }
    }

    /** What cp does in a deploy, before the restart. */
    @Test
    void aJarThatIsOverwrittenKeepsNothingFromItsAnswerNorFromDraining() throws Exception {
        installation.configure("");
        installation.edit("drain-delay: 0s", "drain-delay: 0s\n  http2: true");
        installation.set("HOLDFAST_LOG_LEVEL", "debug");
        Path jar = installation.copyJar();
        // A class that is only loaded is verified later, which may need others.
        installation.option("-XX:+BytecodeVerificationRemote");
        Child gateway = installation.running();
        // A balancer's probes are all that it has seen so far.
        assertThat(client.ready(gateway)).isTrue();
        gateway.awaitLog("classes are there");

        Files.write(jar, new byte[1 << 20]);

        assertThat(client.send(gateway.webhook(), "another secret", "client.created", 0)
                        .statusCode())
                .isEqualTo(401);
        assertThat(client.push(gateway, 0).statusCode()).isEqualTo(200);
        assertThat(pushOverHttp2(gateway.webhook(), "another secret")).isEqualTo(401);
        assertThat(pushOverHttp2(gateway.webhook(), Installation.SECRET)).isEqualTo(200);
        for (String path : List.of("/livez", "/readyz", "/metrics", "/api/v1/overview")) {
            assertThat(client.get(gateway.management(path)).statusCode())
                    .as(path)
                    .isEqualTo(200);
        }
        assertThat(client.get(gateway.management("/api/v1/pushes/99")).statusCode())
                .isEqualTo(404);
        gateway.terminate();
        assertThat(gateway.output())
                .contains("stopped, journal closed after push 2")
                .doesNotContain("NoClassDef");
    }

    /** Without an upgrade, on a connection of its own; returns the answer's status. */
    private static int pushOverHttp2(URI webhook, String secret) {
        byte[] body = "{\"event\":\"client.created\"}".getBytes(StandardCharsets.UTF_8);
        String signature = SignatureScheme.sign(body, secret.getBytes(StandardCharsets.UTF_8));
        Vertx vertx = Vertx.vertx();
        // Vert.x closes a client that nobody refers to any more, be there requests under way.
        HttpClientAgent http2 = vertx.createHttpClient(
                new HttpClientOptions().setProtocolVersion(HttpVersion.HTTP_2).setHttp2ClearTextUpgrade(false));
        try {
            return http2.request(new RequestOptions().setMethod(HttpMethod.POST).setAbsoluteURI(webhook.toString()))
                    .compose(request ->
                            request.putHeader("Service-Signature", signature).send(Buffer.buffer(body)))
                    .map(HttpClientResponse::statusCode)
                    .await();
        } finally {
            http2.close().await();
            vertx.close().await();
        }
    }

    private static Socket connectAsSoonAsItOpens(Child gateway, int port) throws IOException {
        while (true) {
            try {
                return new Socket(InetAddress.getLoopbackAddress(), port);
            } catch (ConnectException e) {
                assertThat(gateway.isAlive()).as(gateway.output()).isTrue();
            }
        }
    }

    /** How many pushes were sent until then, or a moment before: what a busy machine is late with is sent later. */
    private static long sentBefore(long nanos, Traffic traffic) throws Exception {
        AtomicLong safe = new AtomicLong();
        Await.until("the time has come", () -> {
            long sent = traffic.sentSoFar();
            boolean over = System.nanoTime() - nanos > 0;
            safe.set(over ? safe.get() : sent);
            return over;
        });
        return safe.get();
    }
}
