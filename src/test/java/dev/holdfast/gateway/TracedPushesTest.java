package dev.holdfast.gateway;

import static dev.holdfast.Eventually.eventually;
import static dev.holdfast.gateway.GatewayUnderTest.bytes;
import static dev.holdfast.gateway.GatewayUnderTest.envelope;
import static dev.holdfast.gateway.GatewayUnderTest.request;
import static dev.holdfast.gateway.GatewayUnderTest.requestTo;
import static dev.holdfast.gateway.GatewayUnderTest.sign;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Collector;
import dev.holdfast.Collector.Exported;
import dev.holdfast.HeldPort;
import dev.holdfast.LogLines;
import dev.holdfast.Storage;
import dev.holdfast.journal.BrokenJournal;
import io.vertx.core.Future;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A whole gateway between a platform that traces, a collector of traces, and a receiver that goes on with them. */
@Timeout(60)
final class TracedPushesTest {
    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
    private static final String PARENT = "b7ad6b7169203331";
    private static final String TRACEPARENT = "traceparent: 00-" + TRACE + "-" + PARENT + "-01";

    @TempDir
    Path directory;

    private Collector collector;
    private FaultyReceiver receiver;

    @BeforeEach
    void open() throws IOException {
        collector = new Collector();
        receiver = new FaultyReceiver(FaultyReceiver.always(FaultyReceiver.OK));
    }

    @AfterEach
    void close() throws IOException {
        receiver.close();
        collector.close();
    }

    private GatewayUnderTest traced(Map<String, String> environment) {
        return GatewayUnderTest.traced(
                new GatewaySettings().shipped("forward", "http", "url: \"" + receiver.url() + "\""),
                directory,
                Storage::open,
                environment);
    }

    private static byte[] push(int n, String... headers) {
        byte[] body = bytes(envelope("client.created", n));
        String[] all = Arrays.copyOf(headers, headers.length + 1);
        all[headers.length] = "Service-Signature: " + sign(body);
        return request(body, all);
    }

    private Exported only(String name) {
        assertThat(collector.spans(name)).hasSize(1);
        return collector.spans(name).get(0);
    }

    @Test
    void aPushIsOneTraceFromThePlatformOverReceptionAndCommitToTheReceiver() {
        try (GatewayUnderTest gateway = traced(collector.environment())) {
            assertThat(gateway.send(push(1, TRACEPARENT, "tracestate: vendor=1"))
                            .status())
                    .isEqualTo(200);
            eventually(() -> assertThat(collector.spans()).hasSize(3));
        }

        Exported receive = only("receive");
        Exported commit = only("commit");
        Exported attempt = only("attempt");
        assertThat(collector.spans()).allMatch(span -> span.traceId().equals(TRACE) && !span.failed());
        assertThat(receive.parentId()).isEqualTo(PARENT);
        assertThat(commit.parentId()).isEqualTo(receive.spanId());
        assertThat(attempt.parentId()).isEqualTo(receive.spanId());
        assertThat(receive.attributes())
                .isEqualTo(Map.of(
                        "holdfast.endpoint", "default",
                        "holdfast.event", "client.created",
                        "holdfast.seq", "1",
                        "holdfast.outcome", "accepted"));
        assertThat(commit.attributes()).isEqualTo(Map.of("holdfast.seq", "1", "holdfast.outcome", "stored"));
        assertThat(attempt.attributes())
                .isEqualTo(Map.of(
                        "holdfast.consumer", "forward",
                        "holdfast.seq", "1",
                        "holdfast.endpoint", "default",
                        "holdfast.event", "client.created",
                        "holdfast.attempt", "1",
                        "holdfast.outcome", "handled"));
        assertThat(receiver.requests().get(0).headers())
                .containsEntry("traceparent", "00-" + TRACE + "-" + attempt.spanId() + "-01")
                .containsEntry("tracestate", "vendor=1");
    }

    @Test
    void eachAttemptIsASpanOfTheSameTraceAndAFailedOneSaysSo() {
        receiver.behave((request, connection) ->
                FaultyReceiver.status(request.attempt() == 1 ? 503 : 200).answer(request, connection));
        try (GatewayUnderTest gateway = traced(collector.environment())) {
            gateway.send(push(1, TRACEPARENT));

            eventually(() -> assertThat(collector.spans("attempt")).hasSize(2));
        }

        assertThat(collector.spans("attempt")).extracting(Exported::traceId).containsOnly(TRACE);
        assertThat(collector.spans("attempt").get(0).failed()).isTrue();
        assertThat(collector.spans("attempt").get(0).attributes())
                .containsEntry("holdfast.outcome", "failed")
                .containsEntry("holdfast.attempt", "1")
                .containsEntry("error.type", "RetryLater");
        assertThat(collector.spans("attempt").get(1).attributes()).containsEntry("holdfast.attempt", "2");
    }

    @Test
    void aPushThatCouldNotBeStoredSaysSoInItsTrace() {
        HeldStorage<BrokenJournal> storage = HeldStorage.broken();
        try (GatewayUnderTest gateway =
                GatewayUnderTest.traced(new GatewaySettings(), directory, storage, collector.environment())) {
            storage.journal().breakWrites();
            assertThat(gateway.send(push(1, TRACEPARENT)).status()).isEqualTo(503);
            storage.journal().mend();
        }

        assertThat(only("commit").failed()).isTrue();
        assertThat(only("commit").attributes())
                .isEqualTo(Map.of("holdfast.outcome", "failed", "error.type", "JournalException"));
        assertThat(only("receive").failed()).isTrue();
        assertThat(only("receive").attributes())
                .containsEntry("holdfast.outcome", "refused")
                .containsEntry("error.type", "storage")
                .doesNotContainKey("holdfast.seq");
    }

    @Test
    void anAttemptWhoseConsumerHangsSaysThatThereWasNoAnswer() {
        CountDownLatch hung = new CountDownLatch(1);
        Deliveries deliveries = new Deliveries();
        deliveries.behave(push -> {
            try {
                hung.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return Future.succeededFuture();
        });
        GatewaySettings settings = new GatewaySettings().consumer("mine", "*", deliveries, "timeout: 200ms");
        try (GatewayUnderTest gateway =
                GatewayUnderTest.traced(settings, directory, Storage::open, collector.environment())) {
            gateway.send(push(1, TRACEPARENT));

            eventually(() -> assertThat(collector.spans("attempt")).isNotEmpty());
            hung.countDown();
        }

        assertThat(collector.spans("attempt").get(0).failed()).isTrue();
        assertThat(collector.spans("attempt").get(0).attributes())
                .containsEntry("holdfast.outcome", "unanswered")
                .containsEntry("holdfast.attempt", "1");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "traceparent: 00-" + TRACE + "-" + PARENT,
                "traceparent: 00-00000000000000000000000000000000-" + PARENT + "-01",
                "traceparent: 00-0AF7651916CD43DD8448EB211C80319C-" + PARENT + "-01",
                TRACEPARENT + "\r\n" + TRACEPARENT,
                "traceparent: \u00ff"
            })
    void aTraceparentThatIsNoneIsLeftAloneAndThePushBeginsATrace(String header) {
        try (GatewayUnderTest gateway = traced(collector.environment())) {
            assertThat(gateway.send(push(1, header)).status()).isEqualTo(200);

            eventually(() -> assertThat(collector.spans()).hasSize(3));
        }

        assertThat(only("receive").parentId()).isEmpty();
        assertThat(only("receive").traceId()).isNotEqualTo(TRACE);
        assertThat(collector.spans())
                .extracting(Exported::traceId)
                .containsOnly(only("receive").traceId());
    }

    @Test
    void aTraceThatThePlatformDoesNotSampleIsNotExportedAndGoesOnAsSuch() {
        try (GatewayUnderTest gateway = traced(collector.environment())) {
            gateway.send(push(1, "traceparent: 00-" + TRACE + "-" + PARENT + "-00"));
            eventually(() -> assertThat(receiver.requests()).hasSize(1));
        }

        assertThat(collector.spans()).isEmpty();
        assertThat(receiver.requests().get(0).headers().get("traceparent")).matches("00-" + TRACE + "-\\w{16}-00");
    }

    @Test
    void aDuplicatesTraceEndsAtTheCommitAndARefusedRequestHasNone() {
        try (GatewayUnderTest gateway = traced(collector.environment())) {
            gateway.send(push(1));
            gateway.send(push(1, TRACEPARENT));
            gateway.send(
                    request(bytes(envelope("client.created", 2)), "Service-Signature: " + "0".repeat(40), TRACEPARENT));
            eventually(() -> assertThat(collector.spans()).hasSize(5));
        }

        assertThat(collector.spans())
                .filteredOn(span -> span.traceId().equals(TRACE))
                .extracting(Exported::name)
                .containsExactlyInAnyOrder("receive", "commit");
        assertThat(collector.spans("commit").get(1).attributes())
                .isEqualTo(Map.of("holdfast.seq", "1", "holdfast.outcome", "duplicate"));
    }

    @Test
    void aPushOfBeforeTheStartBeginsATraceThatSaysItsSeq() {
        receiver.behave(FaultyReceiver.status(503));
        try (GatewayUnderTest gateway = traced(Map.of())) {
            gateway.send(push(1, TRACEPARENT));
            eventually(() -> assertThat(receiver.requests()).isNotEmpty());
            assertThat(receiver.requests().get(0).headers()).doesNotContainKey("traceparent");
        }
        receiver.behave(FaultyReceiver.always(FaultyReceiver.OK));
        try (GatewayUnderTest gateway = traced(collector.environment())) {
            assertThat(gateway.isReady()).isTrue();
            eventually(() -> assertThat(collector.spans()).hasSize(1));
        }

        assertThat(only("attempt").parentId()).isEmpty();
        assertThat(only("attempt").attributes()).containsEntry("holdfast.seq", "1");
    }

    @Test
    void nothingOfAPushIsInItsTraceButItsEvent() {
        byte[] body = bytes(
                "{\"id\":\"sub_ent-77_1\",\"event\":\"client.created\",\"enterprise_token\":\"ent-77\",\"s\":\"private\"}");
        String signature = sign(body);
        receiver.behave(FaultyReceiver.status(400));
        try (GatewayUnderTest gateway = traced(collector.environment())) {
            gateway.send(
                    requestTo("/webhook?query=hidden", body, "Service-Signature: " + signature, "X-Other: unseen"));

            eventually(() -> assertThat(collector.spans("attempt")).isNotEmpty());
        }

        assertThat(collector.raw())
                .contains("client.created", "holdfast")
                .doesNotContain(signature, "private", "hidden", "unseen", "ent-77", GatewayUnderTest.SECRET);
    }

    @Test
    void aCollectorThatIsGoneCostsAFewLinesOfTheLogAndNeitherPushNorStop() throws IOException {
        long start;
        try (HeldPort port = new HeldPort();
                LogLines log = LogLines.atWarn()) {
            try (GatewayUnderTest gateway = traced(Map.of(
                    "OTEL_EXPORTER_OTLP_ENDPOINT",
                    "http://127.0.0.1:" + port.number(),
                    "OTEL_BSP_SCHEDULE_DELAY",
                    "20"))) {
                for (int n = 1; n <= 50; n++) {
                    assertThat(gateway.send(push(n)).status()).isEqualTo(200);
                }
                eventually(() -> assertThat(receiver.requests()).hasSize(50));
                eventually(() -> assertThat(log.lines()).anyMatch(line -> line.contains("tracing: ")));
                start = System.nanoTime();
            }
            assertThat(log.lines()).hasSizeLessThan(10).allMatch(line -> !line.contains("\tat "));
        }
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(20));
    }

    @Test
    void whatIsLeftIsSentBeforeTheGatewayHasStopped() {
        Map<String, String> seldom =
                Map.of("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url(), "OTEL_BSP_SCHEDULE_DELAY", "3600000");
        try (GatewayUnderTest gateway = traced(seldom)) {
            gateway.send(push(1));
            eventually(() -> assertThat(receiver.requests()).hasSize(1));
        }

        assertThat(collector.spans()).extracting(Exported::name).contains("receive", "commit", "attempt");
    }
}
