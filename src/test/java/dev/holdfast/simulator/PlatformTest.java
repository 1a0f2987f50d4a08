package dev.holdfast.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpVersion;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class PlatformTest {
    private static final String SECRET = "top-sécret";
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final Duration SLOW = Duration.ofSeconds(5);

    private Vertx vertx;

    @BeforeEach
    void start() {
        vertx = Vertx.vertx();
    }

    @AfterEach
    void stop() {
        vertx.close().await();
    }

    @Test
    void aRequestLooksAsTheInterfaceShowsIt() {
        try (RecordingReceiver receiver = RecordingReceiver.answering(vertx, 200)) {
            play(Wire.to(receiver.url()), Pace.count(1000, 20), Faults.none());

            assertThat(receiver.received()).hasSize(20).allSatisfy(push -> {
                assertThat(push.method()).isEqualTo(HttpMethod.POST);
                assertThat(push.version()).isEqualTo(HttpVersion.HTTP_1_1);
                assertThat(push.uri()).isEqualTo("/webhook");
                assertThat(push.headers().names())
                        .containsExactlyInAnyOrder(
                                "Content-Type", "Content-Length", "Service-Signature", "Accept-Encoding", "host");
                assertThat(push.headers().get("Content-Type")).isEqualTo("application/json; charset=utf-8");
                assertThat(push.headers().get("Content-Length"))
                        .isEqualTo(Integer.toString(push.body().bytes().length));
                assertThat(push.headers().get("Accept-Encoding")).isEqualTo("gzip");
                assertThat(push.signature()).isEqualTo(push.body().signedWith(SECRET));
            });
        }
    }

    @Test
    void aTargetsQueryIsSentAlsoWhereItHasNoPath() {
        try (RecordingReceiver receiver = RecordingReceiver.answering(vertx, 200)) {
            play(Wire.to(URI.create(receiver.url() + "?tenant=blue")), Pace.count(100, 1), Faults.none());
            String host = "http://" + receiver.url().getAuthority();
            play(Wire.to(URI.create(host + "?tenant=red")), Pace.count(100, 1), Faults.none());
            play(Wire.to(URI.create(host)), Pace.count(100, 1), Faults.none());

            assertThat(receiver.received())
                    .extracting(ReceivedPush::uri)
                    .containsExactly("/webhook?tenant=blue", "/?tenant=red", "/");
        }
    }

    @Test
    void theSignatureHeaderCanHaveAnotherName() {
        try (RecordingReceiver receiver = RecordingReceiver.answering(vertx, 200)) {
            Wire wire = new Wire(
                    List.of(receiver.url()),
                    "X-Brand-Signature",
                    1,
                    Duration.ofSeconds(10),
                    Duration.ofSeconds(1),
                    false);
            play(wire, Pace.count(100, 1), Faults.none());

            ReceivedPush push = receiver.received().get(0);
            assertThat(push.headers().get("X-Brand-Signature"))
                    .isEqualTo(push.body().signedWith(SECRET));
            assertThat(push.headers().contains("Service-Signature")).isFalse();
        }
    }

    @Test
    void connectionsAreKeptAliveAndNoMoreThanAllowed() {
        try (RecordingReceiver receiver = RecordingReceiver.answering(vertx, 200)) {
            play(wire(receiver.url(), 3, TIMEOUT, SLOW), Pace.count(5000, 500), Faults.none());

            assertThat(receiver.received()).hasSize(500);
            assertThat(receiver.connections()).isBetween(1, 3);
        }
    }

    @Test
    void severalTargetsTakeTurns() {
        try (RecordingReceiver one = RecordingReceiver.answering(vertx, 200);
                RecordingReceiver other = RecordingReceiver.answering(vertx, 200)) {
            Wire single = Wire.to(one.url());
            Wire wire = new Wire(List.of(one.url(), other.url()), "S", 2, single.timeout(), single.slowBody(), false);
            play(wire, Pace.count(1000, 10), Faults.none());

            assertThat(one.received()).hasSize(5);
            assertThat(other.received()).hasSize(5);
        }
    }

    @Test
    void theRateHoldsWhateverTheReceiverDoes() {
        try (RecordingReceiver receiver = RecordingReceiver.answering(vertx, 500)) {
            Summary summary = play(Wire.to(receiver.url()), new Pace(200, Duration.ofSeconds(1), null), Faults.none());

            assertThat(summary.sent()).isEqualTo(200);
            assertThat(summary.sending()).isBetween(Duration.ofMillis(990), Duration.ofSeconds(15));
            assertThat(summary.rate()).isBetween(13.0, 202.0);
        }
    }

    @Test
    void latencyCountsFromWhenAPushWasDue() {
        try (RecordingReceiver receiver = RecordingReceiver.handling(
                vertx, request -> vertx.setTimer(50, id -> request.response().end()))) {
            Summary summary = play(wire(receiver.url(), 1, TIMEOUT, SLOW), Pace.count(1000, 20), Faults.none());

            // each takes 50 ms, one after the other; all 20 are due within 20 ms
            assertThat(summary.latency().max()).isGreaterThan(900);
            assertThat(summary.latency().p50()).isGreaterThan(400);
        }
    }

    /** Else it would try again for ever, with a stack trace each time. */
    @Test
    void aSimulatorThatFailsEndsAndSaysSo() {
        Pace beyondNanoseconds = new Pace(1000, Duration.ofDays(200_000), null);
        Platform platform = new Platform(
                vertx,
                new PushSource(Script.standard(), SECRET.getBytes(StandardCharsets.UTF_8), Clock.systemUTC(), 1),
                Wire.to(URI.create("http://127.0.0.1:1/")),
                beyondNanoseconds,
                Faults.none(),
                (push, answer) -> {});

        assertThatThrownBy(() -> platform.run().await(20, TimeUnit.SECONDS)).isInstanceOf(ArithmeticException.class);
    }

    @Test
    void answersAreCountedByStatus() {
        int[] turn = {0};
        try (RecordingReceiver receiver = RecordingReceiver.handling(
                vertx,
                request -> request.response()
                        .setStatusCode(List.of(200, 500, 302, 204).get(turn[0]++ % 4))
                        .end())) {
            Summary summary = play(wire(receiver.url(), 1, TIMEOUT, SLOW), Pace.count(1000, 12), Faults.none());

            assertThat(summary.statuses()).isEqualTo(Map.of(200, 3L, 500, 3L, 302, 3L, 204, 3L));
            assertThat(summary.missed()).isEqualTo(9);
        }
    }

    @Test
    void aReceiverThatIsNotThereRefuses() {
        // Nobody listens there, nor may just anybody begin to.
        Wire wire = Wire.to(URI.create("http://127.0.0.1:1/webhook"));
        Summary summary = play(wire, Pace.count(1000, 10), Faults.none());

        assertThat(summary.silences()).isEqualTo(Map.of(Silence.REFUSED, 10L));
        assertThat(summary.missed()).isEqualTo(10);
    }

    @Test
    void aConnectionThatEndsBeforeTheAnswerIsAReset() {
        try (RecordingReceiver receiver = RecordingReceiver.handling(
                vertx, request -> request.connection().close())) {
            Summary summary = play(Wire.to(receiver.url()), Pace.count(1000, 10), Faults.none());

            assertThat(summary.silences()).isEqualTo(Map.of(Silence.RESET, 10L));
        }
    }

    @Test
    void aReceiverThatNeverAnswersTimesOutAndHoldsUpWhatWaits() {
        try (RecordingReceiver receiver = RecordingReceiver.handling(vertx, request -> {})) {
            Wire wire = wire(receiver.url(), 2, Duration.ofMillis(300), SLOW);
            Summary summary = play(wire, Pace.count(1000, 10), Faults.none());

            assertThat(summary.silences().keySet()).isSubsetOf(Silence.TIMED_OUT, Silence.UNSENT);
            assertThat(summary.silences().get(Silence.TIMED_OUT))
                    .isEqualTo(summary.sent())
                    .isGreaterThanOrEqualTo(2);
            assertThat(summary.missed()).isEqualTo(10);
            assertThat(summary.underWay()).isZero();
        }
    }

    @Test
    void aTimedOutPushIsNotSentAgain() {
        try (RecordingReceiver receiver = RecordingReceiver.handling(vertx, request -> {})) {
            Wire wire = wire(receiver.url(), 16, Duration.ofSeconds(3), SLOW);
            Summary summary = play(wire, Pace.count(1000, 5), Faults.none());

            assertThat(summary.silences()).isEqualTo(Map.of(Silence.TIMED_OUT, 5L));
            assertThat(receiver.received().stream().map(ReceivedPush::body))
                    .as("what has arrived, which is all of it unless the machine is very busy")
                    .isNotEmpty()
                    .doesNotHaveDuplicates();
        }
    }

    @Test
    void everyAnswerIsReported() {
        List<String> told = new CopyOnWriteArrayList<>();
        try (RecordingReceiver receiver = RecordingReceiver.answering(vertx, 200)) {
            Platform platform = new Platform(
                    vertx,
                    source(Script.standard()),
                    Wire.to(receiver.url()),
                    Pace.count(1000, 8),
                    Faults.none(),
                    (push, answer) -> told.add(push.event() + " " + answer.status()));
            platform.run().await();

            assertThat(told)
                    .containsExactlyInAnyOrderElementsOf(Script.standard().events().stream()
                            .map(event -> event + " 200")
                            .toList());
        }
    }

    @Test
    void aStoppedPlatformAwaitsWhatIsUnderWay() {
        try (RecordingReceiver receiver = RecordingReceiver.handling(
                vertx, request -> vertx.setTimer(100, id -> request.response().end()))) {
            Platform platform = new Platform(
                    vertx,
                    source(Script.standard()),
                    Wire.to(receiver.url()),
                    new Pace(100, Duration.ofHours(1), null),
                    Faults.none(),
                    (push, answer) -> {});
            vertx.setPeriodic(1, id -> {
                if (receiver.count() > 3) {
                    platform.stop();
                }
            });
            Summary summary = platform.run().await();

            assertThat(summary.sent()).isGreaterThan(3).isEqualTo(receiver.count());
            assertThat(summary.statuses()).isEqualTo(Map.of(200, summary.sent()));
            assertThat(summary.underWay()).isZero();
        }
    }

    @Test
    void duplicatesAreByteIdenticalOnTheWireAndOwed200() {
        try (RecordingReceiver receiver = RecordingReceiver.answering(vertx, 409)) {
            Summary summary = play(Wire.to(receiver.url()), Pace.count(1000, 10), all(Fault.DUPLICATE));

            assertThat(receiver.received().stream().map(ReceivedPush::body).distinct())
                    .hasSize(1);
            assertThat(outcome(summary, Fault.DUPLICATE).sent()).isEqualTo(9);
            assertThat(summary.missed()).isEqualTo(10);
        }
    }

    @Test
    void aSlowBodyComesInPiecesOnAConnectionOfItsOwn() {
        try (RecordingReceiver receiver = RecordingReceiver.answering(vertx, 200)) {
            Wire wire = wire(receiver.url(), 16, TIMEOUT, Duration.ofSeconds(1));
            Summary summary = play(wire, Pace.count(1000, 3), all(Fault.SLOW_BODY));

            assertThat(receiver.received()).hasSize(3).allSatisfy(push -> {
                assertThat(push.bodyNanos()).isGreaterThan(500_000_000);
                assertThat(push.bodyPieces()).isGreaterThan(5);
                assertThat(push.signature()).isEqualTo(push.body().signedWith(SECRET));
            });
            assertThat(receiver.connections()).isEqualTo(3);
            assertThat(outcome(summary, Fault.SLOW_BODY).statuses()).isEqualTo(Map.of(200, 3L));
        }
    }

    @Test
    void anEarlyAnswerEndsASlowBody() {
        HttpServer server = vertx.createHttpServer()
                .requestHandler(request -> request.response().setStatusCode(408).end());
        server.listen(0, "127.0.0.1").await();
        Wire wire =
                wire(URI.create("http://127.0.0.1:" + server.actualPort() + "/"), 16, TIMEOUT, Duration.ofSeconds(30));
        Summary summary = play(wire, Pace.count(1000, 2), all(Fault.SLOW_BODY));

        assertThat(outcome(summary, Fault.SLOW_BODY).statuses()).isEqualTo(Map.of(408, 2L));
        assertThat(summary.missed()).isZero();
    }

    @Test
    void anOversizeBodyIsSentWholeAndOwedNo200() {
        try (RecordingReceiver receiver = RecordingReceiver.answering(vertx, 413)) {
            Summary summary = play(Wire.to(receiver.url()), Pace.count(1000, 2), all(Fault.OVERSIZE));

            assertThat(receiver.received())
                    .hasSize(2)
                    .allMatch(push -> push.body().bytes().length == 500_000);
            assertThat(outcome(summary, Fault.OVERSIZE).statuses()).isEqualTo(Map.of(413, 2L));
            assertThat(summary.missed()).isZero();
        }
    }

    @Test
    void a413BeforeTheEndOfAnOversizeBodyIsSeen() {
        HttpServer server = vertx.createHttpServer().requestHandler(request -> {
            request.handler(discarded -> {});
            request.response().setStatusCode(413).end();
        });
        server.listen(0, "127.0.0.1").await();
        Script huge = new Script(Script.NAMED_EVENTS, "t", "client", 0, Script.OVERSIZE);
        Wire wire = Wire.to(URI.create("http://127.0.0.1:" + server.actualPort()));
        Summary summary = play(huge, wire, Pace.count(1000, 2), all(Fault.OVERSIZE));

        assertThat(outcome(summary, Fault.OVERSIZE).statuses()).isEqualTo(Map.of(413, 2L));
    }

    @Test
    void mixedFaultsAreCountedByKind() {
        try (RecordingReceiver receiver = RecordingReceiver.answering(vertx, 200)) {
            Faults faults =
                    new Faults(List.of(Fault.BROKEN_JSON, Fault.UNKNOWN_EVENT, Fault.SAME_ID, Fault.DUPLICATE), 0.5);
            Summary summary = play(Wire.to(receiver.url()), Pace.count(2000, 400), faults);

            assertThat(summary.outcomes().stream().map(Summary.Outcome::kind))
                    .containsExactly("healthy", "broken-json", "duplicate", "same-id", "unknown-event");
            assertThat(summary.outcomes().stream()
                            .mapToLong(Summary.Outcome::sent)
                            .sum())
                    .isEqualTo(400);
            assertThat(summary.outcomes().get(0).sent()).isBetween(150L, 250L);
            assertThat(summary.missed()).isZero();
        }
    }

    private Summary play(Wire wire, Pace pace, Faults faults) {
        return play(new Script(Script.allEvents("visitor.updated"), "t", "client", 0, 500_000), wire, pace, faults);
    }

    private Summary play(Script script, Wire wire, Pace pace, Faults faults) {
        return new Platform(vertx, source(script), wire, pace, faults, (push, answer) -> {})
                .run()
                .await();
    }

    private static PushSource source(Script script) {
        return new PushSource(script, SECRET.getBytes(StandardCharsets.UTF_8), Clock.systemUTC(), 1);
    }

    private static Wire wire(URI target, int connections, Duration timeout, Duration slowBody) {
        return new Wire(List.of(target), Wire.SIGNATURE_HEADER, connections, timeout, slowBody, false);
    }

    private static Faults all(Fault fault) {
        return new Faults(List.of(fault), 1);
    }

    private static Summary.Outcome outcome(Summary summary, Fault fault) {
        return summary.outcomes().stream()
                .filter(outcome -> outcome.kind().equals(fault.toString()))
                .findFirst()
                .orElseThrow();
    }
}
