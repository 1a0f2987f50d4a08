package dev.holdfast.gateway;

import static dev.holdfast.Eventually.eventually;
import static dev.holdfast.gateway.GatewayUnderTest.bytes;
import static dev.holdfast.gateway.GatewayUnderTest.envelope;
import static dev.holdfast.gateway.GatewayUnderTest.request;
import static dev.holdfast.gateway.GatewayUnderTest.requestTo;
import static dev.holdfast.gateway.GatewayUnderTest.sign;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.HeldPort;
import dev.holdfast.LogLines;
import dev.holdfast.bench.Backlog;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code verticle: http} between a whole gateway and real servers. */
@Timeout(90)
class HttpConsumerTest {
    /** Twice what a consumer has in memory of {@code Limits}, and dozens of pages. */
    private static final int BACKLOG = 13_000;

    @TempDir
    Path directory;

    private GatewayUnderTest forwardingTo(String url, String... options) {
        String all = String.join(", ", options);
        return GatewayUnderTest.start(
                new GatewaySettings()
                        .shipped("forward", "http", "url: \"" + url + "\"" + (all.isEmpty() ? "" : ", " + all)),
                directory);
    }

    @Test
    void anUnmodifiedReceiverThatVerifiesThePlatformsSignatureVerifiesWhatIsForwarded() throws Exception {
        List<String> bodies = List.of(
                envelope("client.created", 1),
                "{\"event\":\"client.created\",\"name\":\"Zoë Ærø 李雷 \uD83D\uDE00\"}",
                "{ \"event\" :\r\n\t\"client.updated\",\n \"n\": 1.50e+2, \"n\": \"\\u00e9\" }\n",
                "{\"event\":\"conversation.closed\",\"big\":12345678901234567890123456789}");
        try (UnmodifiedReceiver receiver = new UnmodifiedReceiver(GatewayUnderTest.SECRET, "Service-Signature");
                GatewayUnderTest gateway = forwardingTo(receiver.url())) {
            bodies.forEach(body -> assertThat(gateway.push(body).status()).isEqualTo(200));

            eventually(() -> assertThat(receiver.accepted()).containsExactlyInAnyOrderElementsOf(bodies));
            assertThat(receiver.refused()).isEmpty();
        }
    }

    @Test
    void theSignatureTravelsUnderItsEndpointsHeader() throws Exception {
        GatewaySettings settings = new GatewaySettings()
                .endpoint("one", "/one", "Service-Signature", "a-secret-of-one-0123456789")
                .endpoint("branded", "/branded", "Brand-Signature", "a-secret-of-branded-0123456789");
        byte[] body = bytes(envelope("client.created", 1));
        try (UnmodifiedReceiver receiver = new UnmodifiedReceiver("a-secret-of-branded-0123456789", "Brand-Signature");
                GatewayUnderTest gateway = GatewayUnderTest.start(
                        settings.shipped("forward", "http", "url: \"" + receiver.url() + "\""), directory)) {
            String signature = sign(body, "a-secret-of-branded-0123456789");
            gateway.send(requestTo("/branded", body, "Brand-Signature: " + signature));

            eventually(() -> assertThat(receiver.accepted()).hasSize(1));
        }
    }

    @Test
    void theBytesTheirHeadersAndTheQueryAreAsReceivedAndHeadersSayMore() throws Exception {
        byte[] body = {'{', (byte) 0xff, 0, '\n'};
        Instant before = Instant.now().minus(Duration.ofSeconds(1));
        try (FaultyReceiver receiver = new FaultyReceiver(FaultyReceiver.always(FaultyReceiver.OK));
                GatewayUnderTest gateway = forwardingTo(receiver.url() + "?key=a%20b")) {
            String signature = "Service-Signature: " + sign(body);
            gateway.send(requestTo(
                    "/webhook?a=1&b=é",
                    body,
                    signature,
                    "Content-Type: Application/JSON ; charset=UTF-8",
                    "Content-Encoding: GZip"));

            eventually(() -> assertThat(receiver.requests()).hasSize(1));
            FaultyReceiver.Request request = receiver.requests().get(0);
            assertThat(request.line()).isEqualTo("POST /webhook?key=a%20b&a=1&b=%C3%A9 HTTP/1.1");
            assertThat(request.body().getBytes()).isEqualTo(body);
            assertThat(request.headers())
                    .containsEntry("Content-Type", "Application/JSON ; charset=UTF-8")
                    .containsEntry("Content-Encoding", "GZip")
                    .containsEntry("Service-Signature", sign(body))
                    .containsEntry("Holdfast-Seq", "1")
                    .containsEntry("Holdfast-Event", "push.unreadable")
                    .containsEntry("Holdfast-Attempt", "1");
            assertThat(Instant.parse(request.headers().getOrDefault("Holdfast-Received-At", "")))
                    .isBetween(before, Instant.now());
        }
    }

    @Test
    void aReplayedPushIsMarkedAndNoOtherIs() throws Exception {
        try (FaultyReceiver receiver = new FaultyReceiver(FaultyReceiver.always(FaultyReceiver.OK));
                GatewayUnderTest gateway = forwardingTo(receiver.url())) {
            gateway.push(envelope("client.created", 1));
            eventually(() -> assertThat(receiver.requests()).hasSize(1));

            gateway.manage("/api/v1/replays", "{\"from\":1}");

            eventually(() -> assertThat(receiver.requests()).hasSize(2));
            assertThat(receiver.requests().get(0).headers()).doesNotContainKey("Holdfast-Replay");
            assertThat(receiver.requests().get(1).headers()).containsEntry("Holdfast-Replay", "true");
        }
    }

    @Test
    void configuredHeadersAndTheBearerTokenGoAlongAndAreNeverShown() throws Exception {
        Files.writeString(directory.resolve("token"), "hidden-token\n");
        try (LogLines log = LogLines.atTrace();
                FaultyReceiver receiver = new FaultyReceiver(FaultyReceiver.status(500));
                GatewayUnderTest gateway = forwardingTo(
                        receiver.url(),
                        "headers: {X-Api-Key: hidden-key, X-Number: 5}",
                        "bearer-token: \"${file:" + directory.resolve("token") + "}\"")) {
            gateway.push(envelope("client.created", 1));

            eventually(() -> assertThat(receiver.requests()).hasSizeGreaterThan(1));
            assertThat(receiver.requests().get(1).headers())
                    .containsEntry("X-Api-Key", "hidden-key")
                    .containsEntry("X-Number", "5")
                    .containsEntry("Authorization", "Bearer hidden-token");
            assertThat(log.lines())
                    .anyMatch(line -> line.contains("forwarding to http://127.0.0.1"))
                    .noneMatch(line -> line.contains("hidden"));
        }
    }

    @Test
    void anEventOfAnyLettersTravelsInAHeader() throws Exception {
        try (FaultyReceiver receiver = new FaultyReceiver(FaultyReceiver.always(FaultyReceiver.OK));
                GatewayUnderTest gateway = forwardingTo(receiver.url())) {
            gateway.push("{\"event\":\"client.größe%\"}");

            eventually(() -> assertThat(receiver.requests()).hasSize(1));
            assertThat(receiver.requests().get(0).headers())
                    .containsEntry("Holdfast-Event", "client.gr%C3%B6%C3%9Fe%25");
        }
    }

    @Test
    void aPushMayBeForwardedAsACloudEventWithoutTheSignatureThatDoesNotCoverIt() throws Exception {
        String body = envelope("client.created", 1);
        try (FaultyReceiver receiver = new FaultyReceiver(FaultyReceiver.always(FaultyReceiver.OK));
                GatewayUnderTest gateway = forwardingTo(receiver.url(), "format: cloudevents")) {
            byte[] bytes = bytes(body);
            gateway.send(
                    requestTo("/webhook?a=1", bytes, "Service-Signature: " + sign(bytes), "Content-Encoding: gzip"));

            eventually(() -> assertThat(receiver.requests()).hasSize(1));
            FaultyReceiver.Request request = receiver.requests().get(0);
            assertThat(request.line()).isEqualTo("POST /webhook?a=1 HTTP/1.1");
            assertThat(request.headers())
                    .containsEntry("Content-Type", "application/cloudevents+json")
                    .doesNotContainKey("Content-Encoding")
                    .containsEntry("Holdfast-Seq", "1")
                    .doesNotContainKey("Service-Signature");
            JsonObject event = new JsonObject(request.body());
            assertThat(event.getString("source")).isEqualTo("/enterprises/ent-1");
            assertThat(event.getJsonObject("data")).isEqualTo(new JsonObject(body));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"503", "reset", "close", "half a head", "hang", "stalled head"})
    void aReceiverOnABadDayGetsThePushAgainAndNothingBeforeIt(String fault) throws Exception {
        try (FaultyReceiver receiver = new FaultyReceiver((request, connection) -> {});
                GatewayUnderTest gateway = forwardingTo(receiver.url(), "request-timeout: " + timeout(fault))) {
            receiver.behave((request, connection) -> {
                if (request.seq() == 2 && request.attempt() < 3) {
                    fail(fault, receiver, request, connection);
                } else {
                    FaultyReceiver.always(FaultyReceiver.OK).answer(request, connection);
                }
            });
            IntStream.range(0, 4).forEach(n -> gateway.push(envelope("client.created", n)));

            // What a connection's end takes with it that has answered before is sent once more in the same attempt.
            eventually(() -> assertThat(receiver.requests().stream()
                            .map(request -> request.seq() + "." + request.attempt())
                            .distinct())
                    .containsExactly("1.1", "2.1", "2.2", "2.3", "3.1", "4.1"));
        }
    }

    /** Where no answer is to come; else it is long, for a good answer may take its time on a busy machine. */
    private static String timeout(String fault) {
        return fault.equals("hang") || fault.equals("stalled head") ? "3s" : "30s";
    }

    private static void fail(String fault, FaultyReceiver receiver, FaultyReceiver.Request request, Socket connection)
            throws java.io.IOException {
        switch (fault) {
            case "reset" -> FaultyReceiver.reset(request, connection);
            case "close" -> FaultyReceiver.close(request, connection);
            case "hang" -> receiver.hang(request, connection);
            case "half a head" -> {
                FaultyReceiver.always("HTTP/1.1 20").answer(request, connection);
                FaultyReceiver.close(request, connection);
            }
            case "stalled head" -> {
                FaultyReceiver.always("HTTP/1.1 200 OK\r\nContent-Le").answer(request, connection);
                receiver.hang(request, connection);
            }
            default -> FaultyReceiver.status(Integer.parseInt(fault)).answer(request, connection);
        }
    }

    @Test
    void aReceiverThatAsksForTimeGetsIt() throws Exception {
        List<Long> times = new CopyOnWriteArrayList<>();
        try (FaultyReceiver receiver = new FaultyReceiver((request, connection) -> {
                    times.add(System.nanoTime());
                    FaultyReceiver.status(request.attempt() == 1 ? 503 : 200, "Retry-After: 1")
                            .answer(request, connection);
                });
                GatewayUnderTest gateway = forwardingTo(receiver.url())) {
            gateway.push(envelope("client.created", 1));

            eventually(() -> assertThat(times).hasSize(2));
            assertThat(receiver.seqs()).containsExactly(1L, 1L);
            assertThat(Duration.ofNanos(times.get(1) - times.get(0))).isGreaterThanOrEqualTo(Duration.ofMillis(990));
        }
    }

    /** All but 2,000 are there when the gateway starts, these come in while the receiver is away; 16 lanes. */
    @Test
    @Timeout(400)
    void aBacklogFarBeyondWhatIsInMemoryIsForwardedInOrderWhenTheReceiverComesBack() throws Exception {
        Backlog.fill(directory, BACKLOG - 2_000, 16, HttpConsumerTest::body);
        List<Long> arrived = Collections.synchronizedList(new ArrayList<>());
        Vertx vertx = Vertx.vertx();
        try (HeldPort port = new HeldPort();
                GatewayUnderTest gateway = forwardingTo("http://127.0.0.1:" + port.number() + "/webhook")) {
            DeliveryOrderTest.push(
                    gateway,
                    IntStream.range(BACKLOG - 2_000, BACKLOG)
                            .mapToObj(n -> new String(body(n % 16, n), UTF_8))
                            .toList());
            eventually(() -> assertThat(gateway.metric("holdfast_consumer_retried_total{consumer=\"forward\"}"))
                    .isGreaterThan(2));

            vertx.createHttpServer()
                    .requestHandler(request -> {
                        arrived.add(Long.valueOf(request.getHeader("Holdfast-Seq")));
                        request.end().onSuccess(v -> request.response().end());
                    })
                    .listen(port.number(), "127.0.0.1")
                    .await();
            for (int some = 1_000; some <= BACKLOG; some += 2_000) {
                int least = some;
                eventually(() -> assertThat(gateway.metric("holdfast_consumer_delivered_total{consumer=\"forward\"}"))
                        .isGreaterThanOrEqualTo(least));
            }
            for (int lane = 0; lane < 16; lane++) {
                long first = lane + 1L;
                List<Long> seqs =
                        arrived.stream().filter(seq -> (seq - first) % 16 == 0).toList();
                // One that was under way when the connection broke may come twice, at once.
                assertThat(seqs).isSorted();
                assertThat(new LinkedHashSet<>(seqs))
                        .containsExactlyElementsOf(LongStream.iterate(first, seq -> seq <= BACKLOG, seq -> seq + 16)
                                .boxed()
                                .toList());
            }
        } finally {
            vertx.close().await();
        }
    }

    private static byte[] body(int lane, int n) {
        return bytes(envelope("client.created", "ent-" + lane, n));
    }

    @Test
    void mistakesInTheOptionsStopTheStartAndShowNoValue() {
        assertThatThrownBy(() -> forwardingTo("ftp://user:hidden@127.0.0.1/").close())
                .hasStackTraceContaining(
                        "consumer forward: options.url: found a value that is not shown, expected a URL")
                .satisfies(failure -> assertThat(failure.toString()).doesNotContain("hidden"));
        assertThatThrownBy(() -> forwardingTo("http://127.0.0.1/", "request-timeout: soon")
                        .close())
                .hasMessageContaining("options.request-timeout");
        assertThatThrownBy(() -> forwardingTo("http://127.0.0.1/", "request-timeout: 31s")
                        .close())
                .hasMessageContaining("options.request-timeout: found more than the consumer's timeout,"
                        + " expected at most that: 30s");
        assertThatThrownBy(() -> forwardingTo("http://127.0.0.1/", "connect-timeout: 30d")
                        .close())
                .hasMessageContaining("options.connect-timeout: found a value that is not shown,"
                        + " expected a duration of at most 1h");
        assertThatThrownBy(
                        () -> forwardingTo("http://127.0.0.1/", "conections: 3").close())
                .hasMessageContaining("options.conections: found an unknown key, expected one of: url,");
    }

    @Test
    void aResetByTheReceiverIsAWarningAndNoMore() throws Exception {
        isAWarningAndNoMore(FaultyReceiver::reset);
    }

    @Test
    void anInterimAnswerIsAWarningAndNoMore() throws Exception {
        isAWarningAndNoMore(FaultyReceiver.status(102));
    }

    private void isAWarningAndNoMore(FaultyReceiver.Behaviour behaviour) throws Exception {
        try (LogLines log = LogLines.atWarn();
                FaultyReceiver receiver = new FaultyReceiver(behaviour);
                GatewayUnderTest gateway = forwardingTo(receiver.url())) {
            gateway.push(envelope("client.created", 1));
            eventually(() -> assertThat(receiver.requests()).hasSizeGreaterThan(5));

            assertThat(log.lines())
                    // Of the blocked threads of a busy machine others tell.
                    .filteredOn(line -> !line.contains("ConfigLoader") && !line.contains("BlockedThreadChecker"))
                    .isNotEmpty()
                    .allMatch(line -> line.startsWith("WARN dev.holdfast"));
        }
    }
}
