package dev.holdfast.gateway;

import static dev.holdfast.Eventually.eventually;
import static dev.holdfast.gateway.GatewayUnderTest.bytes;
import static dev.holdfast.gateway.GatewayUnderTest.envelope;
import static dev.holdfast.gateway.GatewayUnderTest.requestTo;
import static dev.holdfast.gateway.GatewayUnderTest.sign;
import static dev.holdfast.gateway.GatewayUnderTest.signed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.push.Push;
import io.vertx.core.Future;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Stops, starts and changes of the configuration: nothing is lost, and consumers go on where they were. */
@Timeout(90)
class RestartTest {
    @TempDir
    Path directory;

    private final Deliveries deliveries = new Deliveries();
    private final Deliveries others = new Deliveries();

    private GatewayUnderTest start(GatewaySettings settings) {
        return GatewayUnderTest.start(settings, directory);
    }

    private static GatewaySettings settings() {
        return new GatewaySettings();
    }

    private static int push(GatewayUnderTest gateway, int n) {
        return gateway.push(envelope("client.created", n)).status();
    }

    @Test
    void afterACleanStopAConsumerGoesOnWhereItWasWithNothingTwice() {
        GatewaySettings settings = settings().consumer("everything", "*", deliveries);
        for (int life = 0; life < 3; life++) {
            try (GatewayUnderTest gateway = start(settings)) {
                DeliveryOrderTest.push(gateway, DeliveryOrderTest.envelopes("client.created", "life-" + life, 700));
                // Stopped in the middle of the delivery the first time.
                int least = life == 0 ? 1 : 700 * life;
                eventually(() -> assertThat(deliveries.handled()).hasSizeGreaterThanOrEqualTo(least));
            }
        }
        try (GatewayUnderTest gateway = start(settings)) {
            eventually(() -> assertThat(deliveries.handled()).hasSize(2100));
            assertThat(push(gateway, 0)).isEqualTo(200);
            eventually(() -> assertThat(deliveries.handled()).hasSize(2101));
        }
        assertThat(deliveries.attemptedSeqs())
                .isEqualTo(LongStream.rangeClosed(1, 2101).boxed().toList());
    }

    @Test
    void aDuplicateIsKnownAfterARestart() {
        try (GatewayUnderTest gateway = start(settings())) {
            assertThat(push(gateway, 1)).isEqualTo(200);
        }
        try (GatewayUnderTest gateway = start(settings())) {
            assertThat(gateway.push(envelope("client.created", 1)).header("holdfast-duplicate"))
                    .isEqualTo("1");
        }
    }

    @Test
    void aFailingConsumerDoesNotKeepTheGatewayFromStopping() {
        deliveries.behave(push -> Future.failedFuture("never"));
        GatewaySettings settings = settings().consumer("everything", "*", deliveries);
        try (GatewayUnderTest gateway = start(settings)) {
            push(gateway, 1);
            eventually(() -> assertThat(deliveries.attempts()).hasSizeGreaterThan(2));
        }
        deliveries.behave(push -> Future.succeededFuture());
        try (GatewayUnderTest gateway = start(settings)) {
            eventually(() -> assertThat(deliveries.handledSeqs()).containsExactly(1L));
            assertThat(gateway.isReady()).isTrue();
        }
    }

    @Test
    void aNewConsumerStartsWithTheOldestOrWithTheNextPush() {
        try (GatewayUnderTest gateway = start(settings())) {
            push(gateway, 1);
            push(gateway, 2);
        }
        GatewaySettings settings = settings()
                .consumer("earliest", "*", deliveries, "start: earliest")
                .consumer("latest", "*", others, "start: latest");
        try (GatewayUnderTest gateway = start(settings)) {
            push(gateway, 3);
            eventually(() -> assertThat(deliveries.handledSeqs()).containsExactly(1L, 2L, 3L));
            eventually(() -> assertThat(others.handledSeqs()).containsExactly(3L));
        }
        try (GatewayUnderTest gateway = start(settings().consumer("latest", "*", others, "start: latest"))) {
            push(gateway, 4);
            eventually(() -> assertThat(others.handledSeqs()).containsExactly(3L, 4L));
        }
    }

    @Test
    void aLatestConsumerThatHadNothingYetMissesNothingOfAStandstill() {
        GatewaySettings latest = settings().consumer("latest", "*", others, "start: latest");
        try (GatewayUnderTest gateway = start(settings())) {
            push(gateway, 1);
        }
        start(latest).close();
        try (GatewayUnderTest gateway = start(settings())) {
            push(gateway, 2);
        }
        try (GatewayUnderTest gateway = start(latest)) {
            eventually(() -> assertThat(others.handledSeqs()).containsExactly(2L));
            assertThat(gateway.isReady()).isTrue();
        }
    }

    @Test
    void aSecretIsRotatedWithoutLosingAPush() throws Exception {
        try (GatewayUnderTest gateway = start(rotation("first-secret-0123456789"))) {
            AtomicBoolean rotating = new AtomicBoolean(true);
            AtomicInteger sent = new AtomicInteger();
            ExecutorService client = Executors.newSingleThreadExecutor();
            var refused = client.submit(() -> {
                int others = 0;
                try (RawConnection connection = gateway.connect()) {
                    while (rotating.get()) {
                        byte[] body = bytes(envelope("client.created", sent.incrementAndGet()));
                        String signature = "Service-Signature: " + sign(body, "first-secret-0123456789");
                        others += connection
                                                .send(requestTo("/webhook", body, signature))
                                                .answer()
                                                .status()
                                        == 200
                                ? 0
                                : 1;
                    }
                }
                return others;
            });
            eventually(() -> assertThat(sent).hasPositiveValue());
            for (int i = 0; i < 5; i++) {
                gateway.reconfigure(rotation("first-secret-0123456789", "second-secret-" + i), directory);
            }
            rotating.set(false);
            assertThat(refused.get()).isZero();
            client.shutdown();

            gateway.reconfigure(rotation("second-secret-4"), directory);

            byte[] body = bytes(envelope("client.created", 0));
            assertThat(gateway.send(requestTo(
                                    "/webhook", body, "Service-Signature: " + sign(body, "first-secret-0123456789")))
                            .status())
                    .isEqualTo(401);
            assertThat(gateway.send(requestTo("/webhook", body, "Service-Signature: " + sign(body, "second-secret-4")))
                            .status())
                    .isEqualTo(200);
        }
    }

    private static GatewaySettings rotation(String... secrets) {
        return settings().endpoint("default", "/webhook", "Service-Signature", secrets);
    }

    @Test
    void aConsumerIsAddedChangedAndRemovedWhileRunning() {
        try (GatewayUnderTest gateway = start(settings().consumer("first", "client.*", deliveries))) {
            push(gateway, 1);
            eventually(() -> assertThat(deliveries.handledSeqs()).containsExactly(1L));

            gateway.reconfigure(
                    settings()
                            .consumer("first", "*", deliveries, "timeout: 7s")
                            .consumer("second", "*", others, "start: earliest"),
                    directory);
            gateway.push(envelope("conversation.created", 2));
            eventually(() -> assertThat(deliveries.handledSeqs()).containsExactly(1L, 2L));
            eventually(() -> assertThat(others.handledSeqs()).containsExactly(1L, 2L));

            gateway.reconfigure(settings().consumer("second", "*", others, "start: earliest"), directory);
            push(gateway, 3);
            eventually(() -> assertThat(others.handledSeqs()).containsExactly(1L, 2L, 3L));
            assertThat(deliveries.handledSeqs()).containsExactly(1L, 2L);
        }
    }

    @Test
    void aChangedConsumerGetsEveryPushOnceWhilePushesComeIn() throws Exception {
        try (GatewayUnderTest gateway = start(settings().consumer("first", "*", deliveries))) {
            AtomicBoolean changing = new AtomicBoolean(true);
            AtomicInteger sent = new AtomicInteger();
            ExecutorService client = Executors.newSingleThreadExecutor();
            var sending = client.submit(() -> {
                try (RawConnection connection = gateway.connect()) {
                    while (changing.get()) {
                        connection
                                .send(signed(envelope("client.created", sent.incrementAndGet())))
                                .answer();
                    }
                }
                return sent.get();
            });
            eventually(() -> assertThat(sent).hasPositiveValue());
            for (int i = 1; i <= 6; i++) {
                gateway.reconfigure(settings().consumer("first", "*", deliveries, "timeout: " + i + "s"), directory);
            }
            changing.set(false);
            int count = sending.get();
            client.shutdown();

            eventually(() -> assertThat(deliveries.handled()).hasSize(count));
            assertThat(deliveries.attemptedSeqs())
                    .isEqualTo(LongStream.rangeClosed(1, count).boxed().toList());
        }
    }

    @Test
    void aClassThatCantBeHadLeavesEveryConsumerAsItWas() {
        try (GatewayUnderTest gateway = start(settings().consumer("first", "*", deliveries))) {
            gateway.reconfigure(
                    settings()
                            .consumer("first", "*", "com.example.Missing", deliveries)
                            .consumer("second", "*", others),
                    directory);
            push(gateway, 1);

            eventually(() -> assertThat(deliveries.handledSeqs()).containsExactly(1L));
            assertThat(others.handledSeqs()).isEmpty();

            gateway.reconfigure(settings().consumer("first", "client.*", deliveries), directory);
            push(gateway, 2);
            eventually(() ->
                    assertThat(deliveries.handled().stream().map(Push::seq)).containsExactly(1L, 2L));
        }
    }

    @Test
    void aStartThatFailsSaysWhyAndLeavesTheDirectoryFree() {
        GatewaySettings broken = settings().consumer("first", "*", "com.example.Missing", deliveries);

        assertThatThrownBy(() -> start(broken))
                .hasMessageContaining("consumer first can't be started")
                .hasMessageContaining("com.example.Missing");

        try (GatewayUnderTest gateway = start(settings())) {
            assertThat(push(gateway, 1)).isEqualTo(200);
            int port = gateway.port();
            GatewaySettings taken = settings().receiver("port: " + port);
            Path elsewhere = directory.resolve("elsewhere");
            assertThat(elsewhere.toFile().mkdirs()).isTrue();
            assertThatThrownBy(() -> GatewayUnderTest.start(taken, elsewhere))
                    .hasMessageContaining("receiver.host and port: ")
                    .hasMessageContaining("in use already");
            GatewaySettings managed =
                    settings().management("port: " + gateway.gateway().managementPort());
            assertThatThrownBy(() -> GatewayUnderTest.start(managed, elsewhere))
                    .hasMessageContaining("management.host and port: ")
                    .hasMessageContaining("in use already");
        }
    }
}
