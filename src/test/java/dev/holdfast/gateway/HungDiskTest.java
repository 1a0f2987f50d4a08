package dev.holdfast.gateway;

import static dev.holdfast.Eventually.eventually;
import static dev.holdfast.gateway.GatewayUnderTest.bytes;
import static dev.holdfast.gateway.GatewayUnderTest.envelope;
import static dev.holdfast.gateway.GatewayUnderTest.signed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.LogLines;
import dev.holdfast.journal.TrialJournal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A disk that says nothing: what waits for it is answered 503 in time, and what it keeps after all is kept. */
@Timeout(60)
class HungDiskTest {
    private static final String IN_FLIGHT = "holdfast_receiver_inflight_bytes";

    @TempDir
    Path directory;

    private final HeldStorage<TrialJournal> storage = HeldStorage.trial();
    private final Deliveries deliveries = new Deliveries();

    private GatewayUnderTest start(GatewaySettings settings) {
        return GatewayUnderTest.start(
                settings.journal("sync-timeout: 2s").consumer("everything", "*", deliveries), directory, storage);
    }

    @Test
    void aPushThatWaitsTooLongIsAnswered503AndKeptAndItsDuplicateIs200() {
        try (GatewayUnderTest gateway = start(new GatewaySettings())) {
            storage.journal().hold();
            String body = envelope("client.created", 1);
            RawConnection connection = gateway.connect().send(signed(body));

            HttpAnswer answer = connection.answer();
            assertThat(answer.status()).isEqualTo(503);
            assertThat(answer.header("retry-after")).isEqualTo("5");
            assertThat(answer.body()).isEqualTo("the disk has not stored the push in time\n");
            assertThat(gateway.refusals("sync-timeout")).isEqualTo(1);
            storage.journal().letGo();

            eventually(() -> assertThat(deliveries.handled()).hasSize(1));
            eventually(() -> assertThat(gateway.metric("holdfast_receiver_stored_late_total"))
                    .isEqualTo(1));
            eventually(() -> {
                HttpAnswer again = connection.send(signed(body)).answer();
                assertThat(again.status()).isEqualTo(200);
                assertThat(again.header("holdfast-duplicate")).isEqualTo("1");
            });
            assertThat(gateway.metric(IN_FLIGHT)).isZero();
        }
    }

    @Test
    void thatTheDiskDoesNotAnswerIsToldInTheLogAndNotForEachPush() {
        try (LogLines log = LogLines.atWarn();
                GatewayUnderTest gateway = start(new GatewaySettings())) {
            storage.journal().hold();

            assertThat(gateway.push(envelope("client.created", 1)).status()).isEqualTo(503);
            assertThat(gateway.push(envelope("client.created", 2)).status()).isEqualTo(503);

            assertThat(log.lines().stream().filter(line -> line.contains("the disk doesn't answer: 1 not stored")))
                    .hasSize(1);
            storage.journal().letGo();
        }
    }

    @Test
    void aConnectionThatIsResetWithAPushBehindTheOneThatWaitsIsNoLine() {
        try (GatewayUnderTest gateway = start(new GatewaySettings());
                LogLines log = LogLines.atWarn()) {
            storage.journal().hold();
            byte[] first = signed(envelope("client.created", 1));
            byte[] second = signed(envelope("client.created", 2));
            RawConnection connection = gateway.connect().send(first).send(second);
            eventually(() -> assertThat(storage.journal().waiting()).isEqualTo(1));
            eventually(() -> assertThat(connections(gateway)).isEqualTo(1));

            connection.reset();

            eventually(() -> assertThat(connections(gateway)).isZero());
            assertThat(log.text()).doesNotContain("NullPointerException");
            storage.journal().letGo();
            eventually(() -> assertThat(gateway.metric(IN_FLIGHT)).isZero());
        }
    }

    private static double connections(GatewayUnderTest gateway) {
        return gateway.metric("holdfast_connections{port=\"" + gateway.port() + "\"}");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aConnectionThatWaitsForTheDiskIsNotIdle(boolean http2) {
        GatewaySettings settings =
                new GatewaySettings().receiver("http2: " + http2).receiver("idle-timeout: 1s");
        try (GatewayUnderTest gateway = start(settings)) {
            storage.journal().hold();

            assertThat(gateway.push(envelope("client.created", 1)).status()).isEqualTo(503);

            storage.journal().letGo();
        }
    }

    @Test
    void whatTheJournalStillHasCountsAsInFlightAndWhatFindsNoRoomIs503Too() {
        GatewaySettings settings =
                new GatewaySettings().receiver("max-body: 64KiB").receiver("max-in-flight: 64KiB");
        try (GatewayUnderTest gateway = start(settings)) {
            storage.journal().hold();
            List<RawConnection> connections = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                String body = envelope("client.created", i);
                // Read at once: of those that come in parts many may have begun before the first is at the journal.
                connections.add(gateway.connect().send(signed(bytes(body + " ".repeat(2048 - body.length())))));
            }

            for (RawConnection connection : connections) {
                assertThat(connection.answer().status()).isEqualTo(503);
            }
            int atJournal = storage.journal().waiting();
            assertThat(gateway.metric(IN_FLIGHT)).isGreaterThanOrEqualTo(atJournal * 2048.0);
            assertThat(atJournal).isLessThan(20);
            assertThat(gateway.refusals("sync-timeout")).isEqualTo(atJournal);
            assertThat(gateway.refusals("no-room")).isEqualTo(100 - atJournal);
            storage.journal().letGo();

            eventually(() -> assertThat(gateway.metric(IN_FLIGHT)).isZero());
            eventually(() -> assertThat(
                            gateway.push(envelope("client.created", 1000)).status())
                    .isEqualTo(200));
        }
    }

    @Test
    void aStopEndsThoughNoPositionIsKeptAnyMore() {
        GatewayUnderTest gateway = start(new GatewaySettings().receiver("drain-timeout: 300ms"));
        storage.journal().holdCursors();
        assertThat(gateway.push(envelope("client.created", 1)).status()).isEqualTo(200);
        eventually(() -> assertThat(deliveries.handled()).hasSize(1));

        assertThatThrownBy(gateway::close).hasMessage("not everything stopped in good order");

        try (GatewayUnderTest again = start(new GatewaySettings())) {
            assertThat(again.push(envelope("client.created", 2)).status()).isEqualTo(200);
        }
    }

    @Test
    void aReloadThatHangsLeavesTheStopTheTimeToDrain() throws Exception {
        GatewaySettings settings = new GatewaySettings().receiver("drain-timeout: 300ms");
        GatewayUnderTest gateway = start(settings.consumer("gone", "*", deliveries));
        storage.journal().holdCursors();
        assertThat(gateway.push(envelope("client.created", 1)).status()).isEqualTo(200);
        eventually(() -> assertThat(deliveries.handled()).hasSize(2));
        GatewaySettings without =
                new GatewaySettings().journal("sync-timeout: 2s").consumer("everything", "*", deliveries);

        try (LogLines log = LogLines.atInfo()) {
            CompletableFuture<Void> reload = CompletableFuture.runAsync(() -> gateway.reconfigure(without, directory));
            eventually(() -> assertThat(log.text()).contains("stopping consumer gone"));
            CompletableFuture<Void> stop = CompletableFuture.runAsync(gateway::close);
            eventually(() -> assertThat(log.text()).contains("reload: not stopped within"));
            storage.journal().keepAgain();
            assertThatThrownBy(stop::join).hasCauseInstanceOf(IllegalStateException.class);
            reload.join();

            Matcher left =
                    Pattern.compile("reload: not stopped within (\\d+) ms").matcher(log.text());
            assertThat(left.find()).isTrue();
            assertThat(Integer.parseInt(left.group(1))).isLessThanOrEqualTo(10_600);
        }
    }
}
