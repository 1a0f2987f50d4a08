package dev.holdfast.gateway;

import static dev.holdfast.Eventually.eventually;
import static dev.holdfast.gateway.GatewayUnderTest.bytes;
import static dev.holdfast.gateway.GatewayUnderTest.envelope;
import static dev.holdfast.gateway.GatewayUnderTest.request;
import static dev.holdfast.gateway.GatewayUnderTest.signed;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.LogLines;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Clients that fill the room for unverified bodies and stop: whoever sends valid pushes hardly feels them. */
@Timeout(60)
class CrowdedEdgeTest {
    private static final int BODY = 1 << 20;
    /** What an unsigned body may take of a room of 512 KiB. */
    private static final int FAIR = 128 * 1024;

    private static final int SLOWEST_MILLIS = 5_000;
    private static final int SECONDS = 6;
    /** So many times as much as one that is left alone may an attacked gateway suffer from a busy machine: it has more to do. */
    private static final int ATTACKED = 5;

    private static final String ATTACKER = "127.0.0.2";
    private static final String PLATFORM = "127.0.0.1";

    @TempDir
    Path directory;

    @TempDir
    Path elsewhere;

    private GatewaySettings settings;

    @BeforeEach
    void limit() {
        settings = new GatewaySettings().receiver("max-body: 1MiB").receiver("max-in-flight: 8MiB");
    }

    private static double unverified(GatewayUnderTest gateway, String room) {
        return gateway.metric("holdfast_receiver_unverified_bytes{room=\"" + room + "\"}");
    }

    /** What the machine itself keeps pushes waiting shows in another gateway beside it, which nobody attacks. */
    private void pushesUnderAttack(String from, int millis) throws Exception {
        try (LogLines log = LogLines.atWarn();
                GatewayUnderTest gateway = GatewayUnderTest.start(settings, directory);
                GatewayUnderTest left = GatewayUnderTest.start(settings, elsewhere)) {
            SteadyPushes.Outcome outcome;
            FutureTask<SteadyPushes.Outcome> machine =
                    new FutureTask<>(() -> SteadyPushes.send(left, from, 100, SECONDS));
            try (StallingClients attackers = new StallingClients(gateway, 200, ATTACKER, BODY)) {
                eventually(() -> assertThat(attackers.begun()).isGreaterThanOrEqualTo(200));
                new Thread(machine, "left-alone").start();
                outcome = SteadyPushes.send(gateway, from, 200, SECONDS);
                eventually(() -> assertThat(gateway.refusals("evicted")).isPositive());
                HttpAnswer readiness = gateway.management("/readyz");
                assertThat(readiness.status()).isEqualTo(200);
                assertThat(readiness.body()).contains("\"room\":false");
            }
            assertThat(log.text()).contains("the room for large bodies", "the last one from " + ATTACKER);
            assertThat(outcome.answered()).isEqualTo(200 * SECONDS);
            assertThat(machine.get().answered()).isEqualTo(100 * SECONDS);
            // One attack keeps no other gateway of the machine waiting.
            assertThat(machine.get().millis(99)).isLessThan(SLOWEST_MILLIS);
            assertThat(outcome.millis(99))
                    .isLessThan(millis + ATTACKED * machine.get().millis(99));
            assertThat(outcome.millis(100))
                    .isLessThan(SLOWEST_MILLIS + ATTACKED * machine.get().millis(100));
            eventually(() -> assertThat(unverified(gateway, "large")).isZero());
            assertThat(waiting(gateway)).isZero();
        }
    }

    @Test
    void pushesFromAnotherAddressThanStallingClientsGet200AsSoonAsTheMachineCan() throws Exception {
        pushesUnderAttack(PLATFORM, 1_000);
    }

    @Test
    void pushesFromTheAddressOfStallingClientsGet200WithinFiveSecondsOfIt() throws Exception {
        pushesUnderAttack(ATTACKER, SLOWEST_MILLIS);
    }

    @Test
    void largeBodiesFromAnotherAddressFindTheirHalfOfTheRoomFree() {
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings, directory);
                StallingClients attackers = new StallingClients(gateway, 20, ATTACKER, BODY)) {
            eventually(() -> assertThat(gateway.metric("holdfast_receiver_unverified_waiting_requests"))
                    .isGreaterThan(10));
            double evicted = gateway.refusals("evicted");

            String body = envelope("client.created", attackers.begun());
            assertThat(gateway.push(bytes(body + " ".repeat(BODY - body.length())))
                            .status())
                    .isEqualTo(200);

            // The room is 3 MiB: the attackers have but half of it, however long they wait.
            assertThat(unverified(gateway, "large")).isLessThanOrEqualTo(1.5 * (1 << 20));
            assertThat(gateway.refusals("evicted") - evicted).isLessThan(20);
        }
    }

    /** From so many addresses that no share of theirs leaves any room to others. */
    @Test
    void smallBodiesThatStopTakeNothingFromThoseThatDoNot() {
        List<RawConnection> stalled = new ArrayList<>();
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings, directory)) {
            for (int i = 0; i < 300; i++) {
                stalled.add(gateway.connectFrom("127.0.1." + (1 + i % 10)).send(headOf(4_000) + "x".repeat(3_000)));
            }
            eventually(() -> assertThat(gateway.metric("holdfast_receiver_requests_total"))
                    .isEqualTo(300));

            byte[] request = signed(envelope("client.created", 1) + " ".repeat(12_000));
            try (RawConnection connection = gateway.connect()) {
                connection.send(request, 0, request.length - 1);
                eventually(() -> assertThat(gateway.metric("holdfast_receiver_requests_total"))
                        .isEqualTo(301));
                connection.send(request, request.length - 1, 1);
                assertThat(connection.answer().status()).isEqualTo(200);
            }

            // None of them had to go for it.
            assertThat(gateway.metric("holdfast_receiver_refusals_total")).isZero();
            stalled.forEach(RawConnection::reset);
        }
    }

    @Test
    void rightPushesThatComeAtOnceNeedNoRoom() {
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings, directory)) {
            Map<RawConnection, byte[]> sending = new LinkedHashMap<>();
            for (int i = 0; i < 120; i++) {
                byte[] request = signed(envelope("client.created", i) + " ".repeat(12_000));
                sending.put(gateway.connect().send(request, 0, request.length - 1), request);
            }
            eventually(() -> assertThat(gateway.metric("holdfast_receiver_requests_total"))
                    .isEqualTo(120));

            sending.forEach((connection, request) -> connection.send(request, request.length - 1, 1));

            sending.keySet()
                    .forEach(connection ->
                            assertThat(connection.answer().status()).isEqualTo(200));
        }
    }

    private static double waiting(GatewayUnderTest gateway) {
        return gateway.metric("holdfast_receiver_unverified_waiting_requests");
    }

    private static String headOf(int length) {
        return "POST /webhook HTTP/1.1\r\nHost: gateway\r\nService-Signature: " + "0".repeat(40)
                + "\r\nContent-Length: " + length + "\r\n\r\n";
    }

    @Test
    void whoHasGoneDoesNotWait() {
        settings = new GatewaySettings().receiver("max-body: 1MiB").receiver("max-in-flight: 1MiB");
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings, directory);
                RawConnection first = gateway.connect().send(headOf(BODY))) {
            eventually(() -> assertThat(unverified(gateway, "large")).isEqualTo(BODY));
            try (RawConnection second = gateway.connect().send(headOf(BODY))) {
                eventually(() -> assertThat(waiting(gateway)).isEqualTo(1));

                second.endSending();

                assertThat(second.answer().status()).isEqualTo(400);
            }
            assertThat(gateway.refusals("incomplete")).isEqualTo(1);
            assertThat(waiting(gateway)).isZero();
            assertThat(gateway.refusals("evicted")).isZero();
            first.reset();
        }
    }

    @Test
    void whoHasSentAllOfItDoesWait() {
        settings = new GatewaySettings().receiver("max-body: 1MiB").receiver("max-in-flight: 1MiB");
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings, directory);
                RawConnection first = gateway.connect().send(headOf(BODY));
                RawConnection second = gateway.connect()) {
            eventually(() -> assertThat(unverified(gateway, "large")).isEqualTo(BODY));
            second.send(signed(envelope("client.created", 1) + " ".repeat(20_000)))
                    .endSending();
            eventually(() -> assertThat(waiting(gateway)).isEqualTo(1));
            // Longer than until the next look.
            assertThat(second.isSilentFor(500)).isTrue();

            first.reset();

            assertThat(second.answer().status()).isEqualTo(200);
        }
    }

    @Test
    void aBodyThatCanNotBeCompleteInTimeIsNotWaitedFor() {
        int large = 8 * BODY;
        settings = new GatewaySettings().receiver("max-in-flight: 8MiB");
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings, directory);
                RawConnection slow = gateway.connect().send(headOf(large));
                RawConnection good = gateway.connect()) {
            eventually(() -> assertThat(unverified(gateway, "large")).isEqualTo(large));
            good.send(signed(envelope("client.created", 1) + " ".repeat(20_000)));

            // Twice what every body has to bring, and a seventeenth of what this one would.
            for (int sent = 0; sent < 30 && slow.isSilentFor(1_000); sent++) {
                slow.send("x".repeat(16 * 1024));
            }

            assertThat(slow.answer().status()).isEqualTo(408);
            assertThat(good.answer().status()).isEqualTo(200);
            assertThat(gateway.refusals("evicted")).isEqualTo(1);
        }
    }

    @Test
    void whoWaitsForRoomIsAnswered503AfterTheBodyTimeout() {
        settings = new GatewaySettings()
                .receiver("max-body: 1MiB")
                .receiver("max-in-flight: 1MiB")
                .receiver("body-timeout: 2s")
                .journal("sync-timeout: 2s");
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings, directory)) {
            List<RawConnection> clients = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                clients.add(gateway.connect().send(headOf(BODY)));
            }
            int crowded = 0;
            for (RawConnection client : clients) {
                HttpAnswer answer = client.answer();
                assertThat(answer.status()).isIn(408, 503);
                assertThat(answer.header("connection")).isEqualTo("close");
                assertThat(answer.header("retry-after") != null).isEqualTo(answer.status() == 503);
                crowded += answer.status() == 503 ? 1 : 0;
                client.close();
            }
            // Those that were read one after the other had two seconds each.
            assertThat(crowded).isGreaterThan(10);
            assertThat(gateway.refusals("crowded")).isEqualTo(crowded);
            assertThat(gateway.refusals("slow-body")).isEqualTo(20 - crowded);
            assertThat(waiting(gateway)).isZero();
        }
    }

    @Test
    void anUnsignedRequestIsReadWhileThereIsRoomForItAndAnswered401AtItsHeadBeyond() {
        String head = "POST /webhook HTTP/1.1\r\nHost: gateway\r\nService-Signature: none\r\nContent-Length: ";
        try (LogLines log = LogLines.atWarn();
                GatewayUnderTest gateway = GatewayUnderTest.start(settings, directory)) {
            RawConnection first = gateway.connectFrom(ATTACKER).send(head + FAIR + "\r\n\r\nx");
            RawConnection other = gateway.connectFrom(ATTACKER).send(head + FAIR + "\r\n\r\nx");
            eventually(() -> assertThat(unverified(gateway, "unsigned")).isEqualTo(2 * FAIR));
            RawConnection second = gateway.connectFrom(ATTACKER).send(head + "100000\r\n\r\nx");

            HttpAnswer unread = second.answer();
            assertThat(unread.status()).isEqualTo(401);
            assertThat(unread.header("connection")).isEqualTo("close");
            assertThat(unread.body()).isEqualTo("the signature is missing or wrong\n");
            assertThat(gateway.refusals("signature-unread")).isEqualTo(1);
            assertThat(gateway.metric("holdfast_quarantine_dropped_total{cause=\"unread\"}"))
                    .isEqualTo(1);
            assertThat(log.text()).contains("the room for unsigned bodies", "the last one from " + ATTACKER);
            assertThat(unverified(gateway, "large")).isZero();
            assertThat(gateway.push(envelope("client.created", 1)).status()).isEqualTo(200);

            assertThat(first.send(new byte[FAIR - 1]).answer().status()).isEqualTo(401);
            assertThat(gateway.refusals("signature")).isEqualTo(1);
            assertThat(gateway.send(request(new byte[100_000])).header("connection"))
                    .isNull();
            assertThat(unverified(gateway, "unsigned")).isEqualTo(FAIR);
            second.close();
            other.reset();
        }
    }

    @Test
    void oneLargeUnsignedBodyKeepsNoOtherOutOfTheQuarantine() {
        String head = "POST /webhook HTTP/1.1\r\nHost: gateway\r\n";
        try (LogLines log = LogLines.atWarn();
                GatewayUnderTest gateway = GatewayUnderTest.start(settings, directory);
                RawConnection declared = gateway.connect();
                RawConnection chunked = gateway.connect()) {
            declared.send(head + "Content-Length: " + (FAIR + 1) + "\r\n\r\nx");
            HttpAnswer unread = declared.answer();
            assertThat(unread.status()).isEqualTo(401);
            assertThat(unread.header("connection")).isEqualTo("close");
            chunked.send(head + "Transfer-Encoding: chunked\r\n\r\n20001\r\n").send("x".repeat(FAIR + 1) + "\r\n");
            assertThat(chunked.answer().status()).isEqualTo(401);
            assertThat(gateway.refusals("signature-unread")).isEqualTo(2);

            assertThat(gateway.send(request(new byte[FAIR])).status()).isEqualTo(401);

            assertThat(gateway.refusals("signature")).isEqualTo(1);
            eventually(() ->
                    assertThat(gateway.metric("holdfast_quarantine_requests")).isEqualTo(1));
            assertThat(log.text()).doesNotContain("the room for unsigned bodies");
        }
    }

    @Test
    void anUnsignedBodyOfUnknownLengthThatOutgrowsItsRoomIsAnswered401() {
        String head = "POST /webhook HTTP/1.1\r\nHost: gateway\r\n";
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings, directory);
                RawConnection declared = gateway.connect();
                RawConnection second = gateway.connect();
                RawConnection chunked = gateway.connect()) {
            declared.send(head + "Content-Length: " + FAIR + "\r\n\r\nx");
            second.send(head + "Content-Length: " + FAIR + "\r\n\r\nx");
            eventually(() -> assertThat(unverified(gateway, "unsigned")).isEqualTo(2 * FAIR));

            chunked.send(head + "Transfer-Encoding: chunked\r\n\r\n" + "10000\r\n" + "x".repeat(0x10000) + "\r\n");

            assertThat(chunked.answer().status()).isEqualTo(401);
            assertThat(gateway.refusals("signature-unread")).isEqualTo(1);
            declared.reset();
            second.reset();
        }
    }

    @Test
    void aSignedBodyOfUnknownLengthTakesRoomForTheLargestOnceItIsNotSmall() {
        byte[] body = bytes(envelope("client.created", 1) + " ".repeat(40_000));
        String head = "POST /webhook HTTP/1.1\r\nHost: gateway\r\nService-Signature: " + GatewayUnderTest.sign(body)
                + "\r\nTransfer-Encoding: chunked\r\n\r\n";
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings, directory);
                RawConnection connection = gateway.connect()) {
            connection.send(head + "2710\r\n").send(body, 0, 10_000);
            eventually(() -> assertThat(gateway.metric("holdfast_receiver_requests_total"))
                    .isEqualTo(1));
            assertThat(unverified(gateway, "large")).isZero();
            connection.send("\r\n2710\r\n").send(body, 10_000, 10_000);
            eventually(() -> assertThat(unverified(gateway, "large")).isEqualTo(BODY));
            connection.send("\r\n" + Integer.toHexString(body.length - 20_000) + "\r\n");
            connection.send(body, 20_000, body.length - 20_000).send("\r\n0\r\n\r\n");

            assertThat(connection.answer().status()).isEqualTo(200);
            assertThat(unverified(gateway, "large")).isZero();
        }
    }
}
