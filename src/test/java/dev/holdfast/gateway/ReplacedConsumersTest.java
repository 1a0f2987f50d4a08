package dev.holdfast.gateway;

import static dev.holdfast.Eventually.eventually;
import static dev.holdfast.gateway.GatewayUnderTest.bytes;
import static dev.holdfast.gateway.GatewayUnderTest.envelope;
import static dev.holdfast.gateway.GatewayUnderTest.requestTo;
import static dev.holdfast.gateway.GatewayUnderTest.sign;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.LogLines;
import dev.holdfast.consumer.PushConsumer;
import dev.holdfast.push.Push;
import io.vertx.core.Future;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A consumer that is to be replaced by one that is configured otherwise, whatever it is doing. */
@Timeout(60)
class ReplacedConsumersTest {
    private static volatile CountDownLatch blocked = new CountDownLatch(1);
    private static volatile CountDownLatch freed = new CountDownLatch(1);

    @TempDir
    Path directory;

    private final Deliveries deliveries = new Deliveries();

    /** Blocks its thread until the test lets it go. */
    public static final class Blocks extends PushConsumer {
        @Override
        protected Future<?> handle(Push push) {
            blocked.countDown();
            while (true) {
                try {
                    freed.await();
                    return Future.succeededFuture();
                } catch (InterruptedException e) {
                    Thread.onSpinWait();
                }
            }
        }
    }

    /** Fails to start with what a start may fail with: a checked exception. */
    public static final class NeedsFile extends PushConsumer {
        @Override
        public Future<?> start() throws Exception {
            throw new NoSuchFileException(config().getString("table"));
        }

        @Override
        protected Future<?> handle(Push push) {
            return Future.succeededFuture();
        }
    }

    @BeforeEach
    void block() {
        blocked = new CountDownLatch(1);
        freed = new CountDownLatch(1);
    }

    @AfterEach
    void free() {
        freed.countDown();
    }

    private static GatewaySettings settings() {
        return new GatewaySettings().receiver("drain-timeout: 300ms");
    }

    @Test
    void aConsumerThatBlocksIsReplacedAndGetsNothingAnyMore() {
        GatewaySettings blocking = settings().consumer("mine", "*", Blocks.class.getName(), deliveries);
        try (LogLines log = LogLines.atWarn();
                GatewayUnderTest gateway = GatewayUnderTest.start(blocking, directory)) {
            gateway.push(envelope("client.created", "ent-0", 0));
            eventually(() -> assertThat(blocked.getCount()).isZero());
            gateway.reconfigure(settings().consumer("mine", "*", deliveries), directory);
            assertThat(log.text())
                    .contains("consumer mine does not end in good order: not done within 300 ms, and left behind");
            eventually(() -> assertThat(gateway.metric("holdfast_consumer_running{consumer=\"mine\"}"))
                    .isEqualTo(1));

            for (int n = 1; n <= 20; n++) {
                gateway.push(envelope("client.created", "ent-" + n, n));
            }

            eventually(() -> assertThat(deliveries.handled()).hasSize(21));
            freed.countDown();
        }
    }

    @Test
    void aNewSecretDoesNotWaitForAConsumerThatGoes() {
        String secret = "another-secret-of-the-tests-98765";
        GatewaySettings blocking = new GatewaySettings().consumer("going", "*", Blocks.class.getName(), deliveries);
        GatewaySettings wanted = new GatewaySettings().endpoint("default", "/webhook", "Service-Signature", secret);
        try (GatewayUnderTest gateway = GatewayUnderTest.start(blocking.receiver("drain-timeout: 5m"), directory)) {
            gateway.push(envelope("client.created", 1));
            CompletableFuture<Void> changed = CompletableFuture.runAsync(
                    () -> gateway.reconfigure(wanted.receiver("drain-timeout: 5m"), directory));

            byte[] body = bytes(envelope("client.created", 2));
            byte[] push = requestTo("/webhook", body, "Service-Signature: " + sign(body, secret));
            eventually(() -> assertThat(gateway.send(push).status()).isEqualTo(200));
            assertThat(changed).isNotDone();
            freed.countDown();
            changed.join();
        }
    }

    @Test
    void aStopTurnsReadinessRedWhileAConsumerGoes() {
        GatewaySettings blocking = new GatewaySettings().consumer("going", "*", Blocks.class.getName(), deliveries);
        try (LogLines log = LogLines.atInfo();
                GatewayUnderTest gateway = GatewayUnderTest.start(blocking, directory)) {
            gateway.push(envelope("client.created", 1));
            CompletableFuture<Void> changed =
                    CompletableFuture.runAsync(() -> gateway.reconfigure(new GatewaySettings(), directory));
            eventually(() -> assertThat(log.text()).contains("stopping consumer going"));

            CompletableFuture<Void> stopped = CompletableFuture.runAsync(gateway::close);
            eventually(() -> assertThat(gateway.isReady()).isFalse());
            assertThat(changed).isNotDone();
            freed.countDown();
            changed.join();
            stopped.join();
        }
    }

    @Test
    void aReplacementThatFailsWithACheckedExceptionIsRefusedAndTheOneBeforeGoesOn() {
        GatewaySettings wanted = settings().consumer("mine", "*", deliveries);
        try (GatewayUnderTest gateway = GatewayUnderTest.start(wanted, directory);
                LogLines log = LogLines.atWarn()) {
            gateway.reconfigure(settings().shipped("mine", NeedsFile.class.getName(), "table: /no/such"), directory);

            assertThat(log.text())
                    .contains("consumer mine can't be started, the one before goes on: NoSuchFileException: ")
                    .doesNotContain("/no/such");
            gateway.push(envelope("client.created", 1));
            eventually(() -> assertThat(deliveries.handled()).hasSize(1));
        }
    }

    @Test
    void aReplacementWhoseClassCantBeHadLeavesAllConsumersAsTheyWere() {
        GatewaySettings wanted = settings().consumer("mine", "*", deliveries);
        try (GatewayUnderTest gateway = GatewayUnderTest.start(wanted, directory);
                LogLines log = LogLines.atWarn()) {
            gateway.reconfigure(settings().consumer("mine", "*", "example.Lost", deliveries), directory);

            assertThat(log.text())
                    .contains("the changed configuration is refused and the one before stays in force, all of it:\n"
                            + "consumer mine can't be started: found no class example.Lost");
            gateway.push(envelope("client.created", 1));
            eventually(() -> assertThat(deliveries.handled()).hasSize(1));
        }
    }
}
