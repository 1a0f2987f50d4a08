package dev.holdfast.gateway;

import static dev.holdfast.Eventually.eventually;
import static dev.holdfast.gateway.GatewayUnderTest.bytes;
import static dev.holdfast.gateway.GatewayUnderTest.envelope;
import static dev.holdfast.gateway.GatewayUnderTest.sign;
import static dev.holdfast.gateway.GatewayUnderTest.signed;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.journal.TrialJournal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Too much at once: connections wait, and nothing is refused. */
@Timeout(60)
@Execution(ExecutionMode.CONCURRENT)
class InFlightLimitTest {
    @TempDir
    Path directory;

    private final HeldStorage<TrialJournal> storage = HeldStorage.trial();
    private final ExecutorService clients = Executors.newCachedThreadPool();

    @AfterEach
    void dismissClients() {
        clients.shutdownNow();
    }

    private static byte[] large(int n, int size) {
        String body = envelope("client.created", n);
        return bytes(body + " ".repeat(size - body.length()));
    }

    @ParameterizedTest
    @ValueSource(ints = {200, 100_000, 3_000_000})
    void theLargestPushIsTakenWhereThereIsRoomForNoOther(int size) {
        GatewaySettings settings =
                new GatewaySettings().receiver("max-body: " + size).receiver("max-in-flight: " + size);
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings, directory)) {
            assertThat(gateway.push(large(1, size)).status()).isEqualTo(200);
            byte[] body = large(2, size);
            try (RawConnection chunked = gateway.connect()) {
                chunked.send(
                                "POST /webhook HTTP/1.1\r\nHost: gateway\r\nTransfer-Encoding: chunked\r\nService-Signature: "
                                        + sign(body) + "\r\n\r\n" + Integer.toHexString(size) + "\r\n")
                        .send(body)
                        .send("\r\n0\r\n\r\n");
                assertThat(chunked.answer().status()).isEqualTo(200);
            }
        }
    }

    @Test
    void bodiesThatTogetherPassTheLimitWhileTheyArriveAllGet200() throws Exception {
        GatewaySettings settings =
                new GatewaySettings().receiver("max-body: 1MiB").receiver("max-in-flight: 1MiB");
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings, directory, storage)) {
            List<RawConnection> connections = new ArrayList<>();
            List<byte[]> requests = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                byte[] request = signed(large(i, 1_000_000));
                requests.add(request);
                connections.add(gateway.connect().send(request, 0, 200_000));
            }
            eventually(() -> assertThat(gateway.metric("holdfast_receiver_unverified_waiting_requests"))
                    .isEqualTo(7));

            List<Future<Integer>> answers = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                RawConnection connection = connections.get(i);
                byte[] request = requests.get(i);
                answers.add(clients.submit(() -> connection
                        .send(request, 200_000, request.length - 200_000)
                        .answer()
                        .status()));
            }

            for (Future<Integer> answer : answers) {
                assertThat(answer.get()).isEqualTo(200);
            }
            eventually(() -> assertThat(gateway.metric("holdfast_receiver_inflight_bytes"))
                    .isZero());
            assertThat(unverified(gateway, "large")).isZero();
        }
    }

    private static double unverified(GatewayUnderTest gateway, String room) {
        return gateway.metric("holdfast_receiver_unverified_bytes{room=\"" + room + "\"}");
    }

    @Test
    void aSmallBodyTakesNoRoomAndALargeOneItsLength() {
        String head = "POST /webhook HTTP/1.1\r\nHost: gateway\r\nService-Signature: " + "0".repeat(40)
                + "\r\nContent-Length: ";
        GatewaySettings settings = new GatewaySettings();
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings, directory, storage)) {
            RawConnection small = gateway.connect().send(head + "16384\r\n\r\nx");
            RawConnection large = gateway.connect().send(head + "65536\r\n\r\nx");
            eventually(() -> assertThat(unverified(gateway, "large")).isEqualTo(65_536));
            eventually(() -> assertThat(gateway.metric("holdfast_receiver_requests_total"))
                    .isEqualTo(2));
            assertThat(unverified(gateway, "large")).isEqualTo(65_536);
            assertThat(unverified(gateway, "unsigned")).isZero();
            assertThat(gateway.metric("holdfast_receiver_inflight_bytes")).isZero();
            // Or the stop waits for them.
            small.reset();
            large.reset();
        }
    }

    @Test
    void pushesWaitWhileTheJournalIsSlowAndAllGet200Later() {
        GatewaySettings settings =
                new GatewaySettings().receiver("max-body: 64KiB").receiver("max-in-flight: 64KiB");
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings, directory, storage)) {
            storage.journal().hold();
            List<RawConnection> connections = new ArrayList<>();
            for (int i = 0; i < 300; i++) {
                connections.add(gateway.connect().send(signed(envelope("client.created", i))));
            }
            eventually(() -> assertThat(gateway.metric("holdfast_receiver_requests_total"))
                    .isEqualTo(300));
            assertThat(storage.journal().waiting()).isLessThan(70);
            connections.get(299).reset();
            assertThat(connections.get(298).isSilentFor(50)).isTrue();

            storage.journal().letGo();

            for (RawConnection connection : connections.subList(0, 299)) {
                assertThat(connection.answer().status()).isEqualTo(200);
            }
            eventually(() -> assertThat(gateway.metric("holdfast_receiver_inflight_bytes"))
                    .isZero());
        }
    }

    @Test
    void aPushIsNotCutOffByTheOneThatWasBegunBehindIt() {
        GatewaySettings settings =
                new GatewaySettings().receiver("max-body: 1MiB").receiver("max-in-flight: 1MiB");
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings, directory, storage);
                RawConnection first = gateway.connect();
                RawConnection pipelined = gateway.connect()) {
            storage.journal().hold();
            first.send(signed(large(0, 1 << 20)));
            eventually(() -> assertThat(storage.journal().waiting()).isEqualTo(1));
            byte[] whole = signed(envelope("client.created", 1));
            byte[] both = Arrays.copyOf(whole, whole.length + 100);
            System.arraycopy(signed(envelope("client.created", 2)), 0, both, whole.length, 100);

            pipelined.send(both).endSending();
            eventually(() -> assertThat(gateway.metric("holdfast_receiver_requests_total"))
                    .isEqualTo(2));
            // Longer than until the next look.
            assertThat(pipelined.isSilentFor(500)).isTrue();

            storage.journal().letGo();
            assertThat(pipelined.answer().status()).isEqualTo(200);
            assertThat(first.answer().status()).isEqualTo(200);
        }
    }

    @Test
    void whoLeavesWhileTheJournalHangsWaitsNoMore() {
        GatewaySettings settings =
                new GatewaySettings().receiver("max-body: 1MiB").receiver("max-in-flight: 1MiB");
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings, directory, storage)) {
            storage.journal().hold();
            gateway.connect().send(signed(large(0, 1 << 20)));
            eventually(() -> assertThat(storage.journal().waiting()).isEqualTo(1));
            List<RawConnection> waiting = new ArrayList<>();
            for (int i = 1; i <= 100; i++) {
                waiting.add(gateway.connect().send(signed(envelope("client.created", i))));
            }
            eventually(() -> assertThat(gateway.metric("holdfast_receiver_waiting_requests"))
                    .isEqualTo(100));

            waiting.subList(0, 99).forEach(RawConnection::reset);

            eventually(() -> assertThat(gateway.metric("holdfast_receiver_waiting_requests"))
                    .isEqualTo(1));
            storage.journal().letGo();
            assertThat(waiting.get(99).answer().status()).isEqualTo(200);
            assertThat(gateway.metric("holdfast_receiver_waiting_requests")).isZero();
        }
    }

    @Test
    void aBodyThatIsMadeToWaitIsNotTooSlow() throws Exception {
        GatewaySettings settings = new GatewaySettings()
                .receiver("max-body: 1MiB")
                .receiver("max-in-flight: 1MiB")
                .receiver("body-timeout: 3s");
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings, directory, storage)) {
            storage.journal().hold();
            RawConnection first = gateway.connect().send(signed(large(0, 500_000)));
            eventually(() -> assertThat(storage.journal().waiting()).isEqualTo(1));
            List<Future<Integer>> answers = new ArrayList<>();
            for (int i = 1; i <= 4; i++) {
                byte[] request = signed(large(i, 1_000_000));
                answers.add(clients.submit(() -> {
                    try (RawConnection connection = gateway.connect()) {
                        return connection.send(request).answer().status();
                    }
                }));
            }
            // Long enough for the body timeout to pass twice over.
            assertThat(first.isSilentFor(7_000)).isTrue();

            storage.journal().letGo();

            assertThat(first.answer().status()).isEqualTo(200);
            for (Future<Integer> answer : answers) {
                assertThat(answer.get()).isEqualTo(200);
            }
        }
    }

    @Test
    void theOperatorSeesThatABodyWaitsForRoom() {
        GatewaySettings settings = new GatewaySettings()
                .receiver("max-body: 1MiB")
                .receiver("max-in-flight: 1MiB")
                .journal("sync-timeout: 60s");
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings, directory, storage)) {
            storage.journal().hold();
            List<RawConnection> pushes = new ArrayList<>();
            pushes.add(gateway.connect().send(signed(large(0, 600_000))));
            eventually(() -> assertThat(storage.journal().waiting()).isEqualTo(1));
            assertThat(gateway.management("/readyz").body()).contains("\"room\":true");
            for (int i = 1; i <= 2; i++) {
                pushes.add(gateway.connect().send(signed(large(i, 1_000_000)), 0, 10_000));
            }

            eventually(() -> assertThat(gateway.management("/readyz").body()).contains("\"room\":false"));

            assertThat(gateway.refusals("evicted")).isZero();
            storage.journal().letGo();
            assertThat(pushes.get(0).answer().status()).isEqualTo(200);
            pushes.forEach(RawConnection::reset);
        }
    }

    @Test
    void clientsThatStallAreEvictedForOneThatDoesNot() throws Exception {
        GatewaySettings settings =
                new GatewaySettings().receiver("max-body: 1MiB").receiver("max-in-flight: 1MiB");
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings, directory, storage)) {
            // Kept, or the garbage collector ends them.
            List<RawConnection> stalled = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                stalled.add(gateway.connect().send(signed(large(i, 1_000_000)), 0, 100_000));
            }
            eventually(() -> assertThat(gateway.metric("holdfast_receiver_unverified_waiting_requests"))
                    .isEqualTo(1));

            Future<Integer> answer =
                    clients.submit(() -> gateway.push(large(9, 1_000_000)).status());

            assertThat(answer.get()).isEqualTo(200);
            assertThat(gateway.refusals("evicted")).isPositive();
            stalled.forEach(RawConnection::reset);
        }
    }
}
