package dev.holdfast.gateway;

import static dev.holdfast.Eventually.eventually;
import static dev.holdfast.gateway.GatewayUnderTest.envelope;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.LogLines;
import dev.holdfast.consumer.PushConsumer;
import dev.holdfast.push.Push;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Consumers that take their time to start, or to end: each test waits the ten seconds that a configuration has for them. */
@Timeout(90)
class SlowStartTest {
    private static final LogLines LOG = LogLines.atInfo();
    private static final CountDownLatch NEVER = new CountDownLatch(1);
    /** What a consumer's start waits for, by where it would record. */
    private static final Map<String, Promise<Object>> STARTS = new ConcurrentHashMap<>();

    /** Is never made: its constructor doesn't return. */
    public static final class NeverMade extends PushConsumer {
        static volatile long calledAt;

        public NeverMade() throws InterruptedException {
            calledAt = System.nanoTime();
            NEVER.await();
        }

        @Override
        protected Future<?> handle(Push push) {
            return Future.succeededFuture();
        }
    }

    /** Never says that it has started. */
    public static final class NeverStarts extends PushConsumer {
        @Override
        public Future<?> start() {
            return Future.future(promise -> {});
        }

        @Override
        protected Future<?> handle(Push push) {
            return Future.succeededFuture();
        }
    }

    @TempDir
    Path directory;

    private final Deliveries deliveries = new Deliveries();
    private final Deliveries others = new Deliveries();
    private final String mine = "mine-" + deliveries.key();

    @AfterAll
    static void end() {
        NEVER.countDown();
        LOG.close();
    }

    private static Promise<Object> startOf(String records) {
        return STARTS.computeIfAbsent(records, key -> Promise.promise());
    }

    /** Starts when the test lets it. */
    public static final class StartsLate extends PushConsumer {
        @Override
        public Future<?> start() throws Exception {
            Future<?> done = super.start();
            return startOf(config().getString("records")).future().compose(v -> done);
        }

        @Override
        protected Future<?> handle(Push push) {
            return Future.succeededFuture();
        }
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void aConsumerThatWasTakenOutDoesNotComeBackWhenItsReplacementFailsToStart() {
        GatewaySettings before =
                new GatewaySettings().consumer(mine, "*", deliveries).consumer("other", "*", others);
        try (GatewayUnderTest gateway = GatewayUnderTest.start(before, directory)) {
            gateway.reconfigure(
                    new GatewaySettings()
                            .consumer(mine, "*", StartsLate.class.getName(), deliveries)
                            .consumer("other", "*", others),
                    directory);
            gateway.reconfigure(new GatewaySettings().consumer("other", "*", others), directory);
            assertThat(LOG.text()).contains("stopping consumer " + mine);
            startOf(deliveries.key()).fail(new IllegalStateException("no database"));

            for (int n = 1; n <= 100; n++) {
                gateway.push(envelope("client.created", n));
            }
            eventually(() -> assertThat(others.handled()).hasSize(100));
            assertThat(gateway.management("/api/v1/consumers/" + mine).body())
                    .contains("\"state\":\"stopped\"", "it is not configured");
            assertThat(deliveries.handled()).isEmpty();
            assertThat(LOG.text()).doesNotContain("consumer " + mine + " can't be started, the one before goes on");
        }
    }

    /** The first reconfiguration waits ten seconds for what the consumer has in hand. */
    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void aConsumerThatWasTakenOutWhileItEndsIsNotConfiguredAgain() {
        startOf(deliveries.key()).complete();
        Promise<Object> inHand = Promise.promise();
        deliveries.behave(push -> inHand.future());
        GatewaySettings before =
                new GatewaySettings().consumer(mine, "*", deliveries).consumer("other", "*", others);
        try (GatewayUnderTest gateway = GatewayUnderTest.start(before, directory)) {
            gateway.push(envelope("client.created", 1));
            eventually(() -> assertThat(deliveries.attempts()).hasSize(1));
            gateway.reconfigure(
                    new GatewaySettings()
                            .consumer(mine, "*", StartsLate.class.getName(), deliveries)
                            .consumer("other", "*", others),
                    directory);
            CompletableFuture<Void> gone = CompletableFuture.runAsync(
                    () -> gateway.reconfigure(new GatewaySettings().consumer("other", "*", others), directory));
            eventually(() -> assertThat(
                            gateway.management("/api/v1/consumers/" + mine).body())
                    .contains("it is not configured"));
            inHand.complete();
            gone.join();

            for (int n = 2; n <= 100; n++) {
                gateway.push(envelope("client.created", n));
            }
            eventually(() -> assertThat(others.handled()).hasSize(100));
            assertThat(gateway.management("/api/v1/consumers/" + mine).body())
                    .contains("\"state\":\"stopped\"", "it is not configured");
        }
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void aReplacementThatFailsToStartAfterItCountedAsStartedIsLoggedAndTriedAgainWhenAsked() {
        GatewaySettings before = new GatewaySettings().consumer(mine, "*", deliveries);
        try (GatewayUnderTest gateway = GatewayUnderTest.start(before, directory)) {
            GatewaySettings changed = new GatewaySettings().consumer(mine, "*", StartsLate.class.getName(), deliveries);
            gateway.reconfigure(changed, directory);
            startOf(deliveries.key()).fail(new IllegalStateException("no database"));

            eventually(() -> assertThat(LOG.text())
                    .contains("consumer " + mine + " can't be started, the one before goes on: "
                            + "IllegalStateException: no database"));
            gateway.push(envelope("client.created", 1));
            eventually(() -> assertThat(deliveries.handled()).hasSize(1));

            STARTS.remove(deliveries.key());
            startOf(deliveries.key()).complete();
            gateway.reconfigure(changed, directory);
            assertThat(gateway.management("/api/v1/consumers/" + mine).body())
                    .contains("\"state\":\"running\"", StartsLate.class.getName());
        }
    }

    /** The port opens after a second: each in which it is closed costs pushes. */
    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void pushesAreAcceptedWhileConsumersAreNeverMadeOrNeverStarted() {
        GatewaySettings waiting = new GatewaySettings()
                .receiver("drain-timeout: 300ms")
                .consumer("unmade", "*", NeverMade.class.getName(), deliveries)
                .consumer("silent", "*", NeverStarts.class.getName(), deliveries);
        AtomicLong opensAt = new AtomicLong();

        try (GatewayUnderTest gateway =
                GatewayUnderTest.start(waiting, directory, stop -> opensAt.set(System.nanoTime()))) {
            assertThat(Duration.ofNanos(opensAt.get() - NeverMade.calledAt))
                    .isBetween(Duration.ZERO, Duration.ofSeconds(8));
            assertThat(gateway.push(envelope("client.created", 1)).status()).isEqualTo(200);
            assertThat(gateway.management("/api/v1/consumers/unmade").body()).contains("\"state\":\"starting\"");

            gateway.reconfigure(new GatewaySettings().consumer("unmade", "*", deliveries), directory);

            eventually(() -> assertThat(deliveries.bodies()).contains(envelope("client.created", 1)));
        }
    }

    /** At a stop no consumer is tried again, and nobody has to read that it is. */
    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void aStopWhileAConsumerIsStartingIsNoFailureOfTheConsumer() {
        GatewaySettings waiting = new GatewaySettings()
                .receiver("drain-timeout: 300ms")
                .consumer(mine, "*", NeverStarts.class.getName(), deliveries);

        GatewayUnderTest.start(waiting, directory).close();

        assertThat(LOG.text()).doesNotContain("consumer " + mine + " can't be started");
    }
}
