package dev.holdfast.gateway;

import static dev.holdfast.Eventually.eventually;
import static dev.holdfast.gateway.GatewayUnderTest.envelope;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.HeldPort;
import dev.holdfast.LogLines;
import dev.holdfast.bench.Backlog;
import dev.holdfast.consumer.PushConsumer;
import dev.holdfast.push.Push;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A consumer's bad day costs neither the receiver nor the stop nor the configuration anything. */
@Timeout(120)
final class BadConsumersTest {
    private static volatile CountDownLatch freed = new CountDownLatch(1);
    private static volatile boolean databaseIsUp;

    @TempDir
    Path directory;

    private final Deliveries deliveries = new Deliveries();

    /** Blocks its thread until the test lets it go. */
    public static final class Stuck extends PushConsumer {
        @Override
        protected Future<?> handle(Push push) {
            boolean interrupted = false;
            while (true) {
                try {
                    freed.await();
                    break;
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
            return Future.succeededFuture();
        }
    }

    /** Starts only while its database is up. */
    public static final class NeedsDatabase extends RecordingConsumer {
        @Override
        public Future<?> start() throws Exception {
            return databaseIsUp ? super.start() : Future.failedFuture("connection refused");
        }
    }

    /** Is made only while its database is up. */
    public static final class MadeOfDatabase extends RecordingConsumer {
        public MadeOfDatabase() {
            if (!databaseIsUp) {
                throw new IllegalArgumentException("connection refused");
            }
        }
    }

    /** On an event loop, and blocks all the worker threads that it gets. */
    public static final class TakesAllWorkers extends PushConsumer {
        @Override
        protected Future<?> handle(Push push) {
            return vertx.executeBlocking(
                    () -> {
                        freed.await();
                        return "freed";
                    },
                    false);
        }
    }

    /** Cancels a timer that it has not set. */
    public static final class CancelsNone extends RecordingConsumer {
        private long timer;

        @Override
        protected Future<?> handle(Push push) {
            vertx.cancelTimer(timer);
            return super.handle(push);
        }
    }

    /** Takes what nobody else does. */
    public static final class TakesFailures extends RecordingConsumer {
        @Override
        public Future<?> start() throws Exception {
            vertx.exceptionHandler(failure -> {});
            return super.start();
        }
    }

    /** Blocks its thread as it ends, until the test lets it go. */
    public static final class EndsLate extends RecordingConsumer {
        @Override
        public Future<?> stop() throws Exception {
            freed.await();
            return super.stop();
        }
    }

    /** Undeploys itself. */
    public static final class Leaves extends RecordingConsumer {
        @Override
        protected Future<?> handle(Push push) {
            return vertx.undeploy(context.deploymentID());
        }
    }

    /** Forgets what a start ends in. */
    public static final class Forgetful extends RecordingConsumer {
        @Override
        public Future<?> start() {
            return Future.succeededFuture();
        }
    }

    /** As if starting and stopping gave nothing back. */
    public static final class Silent extends RecordingConsumer {
        @Override
        public Future<?> start() throws Exception {
            super.start();
            return databaseIsUp ? Future.succeededFuture() : null;
        }

        @Override
        public Future<?> stop() {
            return null;
        }
    }

    @BeforeEach
    void block() {
        freed = new CountDownLatch(1);
        databaseIsUp = false;
    }

    @AfterEach
    void free() {
        freed.countDown();
        // Other classes use the consumer too, with its database down.
        databaseIsUp = false;
    }

    private GatewaySettings stuck() {
        return new GatewaySettings()
                .receiver("drain-timeout: 300ms")
                .consumer("stuck", "*", Stuck.class.getName(), deliveries, "timeout: 1s");
    }

    @Test
    void aConsumerThatBlocksDoesNotKeepTheGatewayFromStopping() {
        GatewayUnderTest gateway = GatewayUnderTest.start(stuck(), directory);
        assertThat(gateway.push(envelope("client.created", 1)).status()).isEqualTo(200);

        CompletableFuture<Void> stopped = CompletableFuture.runAsync(gateway::close);

        assertThat(stopped).succeedsWithin(Duration.ofSeconds(15));
        try (GatewayUnderTest again =
                GatewayUnderTest.start(new GatewaySettings().consumer("stuck", "*", deliveries), directory)) {
            eventually(() -> assertThat(deliveries.bodies()).contains(envelope("client.created", 1)));
            assertThat(again.isReady()).isTrue();
        }
    }

    @Test
    void aConsumerThatBlocksDoesNotKeepSecretsAndOthersFromBeingChanged() {
        String rotated = "another-secret-of-the-tests-9876543210";
        try (GatewayUnderTest gateway = GatewayUnderTest.start(stuck(), directory)) {
            gateway.push(envelope("client.created", 1));

            CompletableFuture<Void> changed = CompletableFuture.runAsync(() -> gateway.reconfigure(
                    new GatewaySettings()
                            .endpoint("default", "/webhook", "Service-Signature", rotated)
                            .consumer("other", "*", deliveries),
                    directory));

            assertThat(changed).succeedsWithin(Duration.ofSeconds(15));
            assertThat(gateway.push(envelope("client.created", 2)).status()).isEqualTo(401);
            eventually(() -> assertThat(deliveries.bodies()).contains(envelope("client.created", 1)));
        }
    }

    @Test
    void whatNobodyTakesIsTheGatewaysThoughAConsumerWouldTakeIt() {
        GatewaySettings settings =
                new GatewaySettings().consumer("greedy", "*", TakesFailures.class.getName(), deliveries);
        try (LogLines log = LogLines.atWarn();
                GatewayUnderTest gateway = GatewayUnderTest.start(settings, directory)) {
            gateway.vertx().runOnContext(v -> {
                throw new IllegalStateException("lost");
            });
            eventually(() -> assertThat(log.text()).contains("unexpected: java.lang.IllegalStateException"));
        }
    }

    @Test
    void aConsumerThatForgetsSuperStartEndsTheStartAndIsToldSo() {
        GatewaySettings settings =
                new GatewaySettings().consumer("forgetful", "*", Forgetful.class.getName(), deliveries);

        assertThatThrownBy(() -> GatewayUnderTest.start(settings, directory).close())
                .hasMessage("consumer forgetful can't be started: " + Forgetful.class.getName()
                        + " overrides start() without ending in super.start()");
    }

    @Test
    void aConsumerThatCantStartKeepsThePortFromNothingAndIsTriedAgain() {
        GatewaySettings settings = new GatewaySettings()
                .consumer("needy", "client.*", NeedsDatabase.class.getName(), deliveries)
                .consumer("healthy", "conversation.*", deliveries);
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings, directory)) {
            assertThat(gateway.push(envelope("client.created", 1)).status()).isEqualTo(200);
            assertThat(gateway.push(envelope("conversation.created", 2)).status())
                    .isEqualTo(200);
            eventually(() -> assertThat(deliveries.bodies()).containsExactly(envelope("conversation.created", 2)));
            assertThat(gateway.metric("holdfast_consumer_running{consumer=\"needy\"}"))
                    .isZero();
            assertThat(gateway.isReady()).isTrue();
            assertThat(consumer(gateway, "healthy").getString("state")).isEqualTo("running");
            JsonObject away = consumer(gateway, "needy");
            assertThat(away.getString("state")).isEqualTo("stopped");
            assertThat(away.getString("because")).isEqualTo("it can't start: connection refused");

            databaseIsUp = true;

            eventually(() -> assertThat(deliveries.bodies()).contains(envelope("client.created", 1)));
            assertThat(gateway.metric("holdfast_consumer_running{consumer=\"needy\"}"))
                    .isEqualTo(1);
            assertThat(consumer(gateway, "needy").getString("state")).isEqualTo("running");
            assertThat(consumer(gateway, "needy").containsKey("because")).isFalse();
        }
    }

    @Test
    void whyAConsumerCantStartIsShownInALineWithoutItsOptions() throws IOException {
        Path file = Files.writeString(directory.resolve("in-the-way"), "");
        GatewaySettings settings = new GatewaySettings().shipped("archive", "file", "directory: " + file + "/below");
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings, directory)) {
            assertThat(consumer(gateway, "archive").getString("because"))
                    .startsWith("it can't start: FileSystemException: (options.directory)")
                    .doesNotContain(file.toString());

            gateway.reconfigure(new GatewaySettings(), directory);

            assertThat(consumer(gateway, "archive").getString("because")).isEqualTo("it is not configured");
        }
    }

    /** As a JDBC driver does, which says where it could not connect to. */
    @Test
    void whatAnAttemptFailedWithIsShownWithoutTheOptions() {
        deliveries.behave(push -> Future.failedFuture(
                new IllegalStateException("No driver for jdbc:x://h/db?password=" + deliveries.key())));
        try (LogLines log = LogLines.atWarn();
                GatewayUnderTest gateway =
                        GatewayUnderTest.start(new GatewaySettings().consumer("crm", "*", deliveries), directory)) {
            gateway.push(envelope("client.created", 1));
            eventually(() -> assertThat(consumer(gateway, "crm").containsKey("lastFailure"))
                    .isTrue());

            assertThat(consumer(gateway, "crm").getJsonObject("lastFailure").getString("error"))
                    .isEqualTo("IllegalStateException: No driver for jdbc:x://h/db?password=(options.records)");
            assertThat(log.lines()).isNotEmpty().noneMatch(line -> line.contains(deliveries.key()));
        }
    }

    /** Can't close its connection, and says which. */
    public static final class Unclosed extends RecordingConsumer {
        @Override
        public Future<?> stop() {
            return Future.failedFuture("can't close x://h/db?password=" + config().getString("records"));
        }
    }

    @Test
    void whatAStopFailedWithIsShownWithoutTheOptions() {
        GatewaySettings settings = new GatewaySettings().consumer("crm", "*", Unclosed.class.getName(), deliveries);
        try (LogLines log = LogLines.atWarn()) {
            GatewayUnderTest.start(settings, directory).close();

            assertThat(log.lines())
                    .anyMatch(line -> line.contains("in good order: can't close x://h/db?password=(options.records)"))
                    .noneMatch(line -> line.contains(deliveries.key()));
        }
    }

    private static JsonObject consumer(GatewayUnderTest gateway, String name) {
        JsonArray consumers =
                new JsonObject(gateway.management("/api/v1/consumers").body()).getJsonArray("consumers");
        return consumers.stream()
                .map(JsonObject.class::cast)
                .filter(consumer -> consumer.getString("name").equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aConsumerThatCantBeMadeKeepsThePortFromNothingAndIsTriedAgain() {
        GatewaySettings settings =
                new GatewaySettings().consumer("needy", "client.*", MadeOfDatabase.class.getName(), deliveries);
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings, directory)) {
            assertThat(gateway.push(envelope("client.created", 1)).status()).isEqualTo(200);
            assertThat(consumer(gateway, "needy").getString("because"))
                    .startsWith("it can't start: ")
                    .endsWith("connection refused");

            databaseIsUp = true;

            eventually(() -> assertThat(deliveries.bodies()).contains(envelope("client.created", 1)));
        }
    }

    @Test
    void aConsumerThatTakesAllWorkerThreadsTakesNobodyElses() {
        GatewaySettings settings = new GatewaySettings()
                .receiver("drain-timeout: 300ms")
                .consumer(
                        "greedy",
                        "*",
                        TakesAllWorkers.class.getName(),
                        deliveries,
                        "threading: event-loop",
                        "concurrency: 32");
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings, directory)) {
            for (int i = 0; i < 32; i++) {
                gateway.push(envelope("client.created", "lane" + i, i));
            }
            eventually(() -> assertThat(gateway.metric("holdfast_consumer_running{consumer=\"greedy\"}"))
                    .isEqualTo(1));
            eventually(() -> assertThat(blocked()).isEqualTo(20));

            assertThat(gateway.isReady()).isTrue();
            assertThat(gateway.metric("holdfast_consumer_running{consumer=\"greedy\"}"))
                    .isEqualTo(1);
        }
    }

    /** How many threads wait in {@link TakesAllWorkers}: all that a pool has. */
    private static long blocked() {
        return Thread.getAllStackTraces().values().stream()
                .filter(frames -> Arrays.stream(frames)
                        .anyMatch(frame -> frame.getClassName().startsWith(TakesAllWorkers.class.getName())))
                .count();
    }

    @Test
    void whatAConsumerWantsThatCannotStartYetIsNotWithoutAConsumer() {
        GatewaySettings settings =
                new GatewaySettings().consumer("needy", "client.*", NeedsDatabase.class.getName(), deliveries);
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings, directory)) {
            gateway.push(envelope("client.created", 1));
            gateway.push(envelope("ticket.opened", 2));

            eventually(() -> assertThat(gateway.metric("holdfast_pushes_unsubscribed_total"))
                    .isEqualTo(1));
        }
    }

    @Test
    void aConsumerThatCancelsATimerItNeverSetStopsNothing() {
        GatewaySettings settings =
                new GatewaySettings().consumer("careless", "*", CancelsNone.class.getName(), deliveries);
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings, directory)) {
            gateway.push(envelope("client.created", 1));
            eventually(() -> assertThat(deliveries.bodies()).hasSize(1));

            gateway.push(envelope("client.created", 2));

            eventually(() -> assertThat(gateway.metric("holdfast_consumer_lag_pushes{consumer=\"careless\"}"))
                    .isZero());
        }
    }

    @Test
    void aConsumerWhoseStartReturnsNullEndsTheStart() {
        GatewaySettings settings = new GatewaySettings().consumer("silent", "*", Silent.class.getName(), deliveries);

        assertThatThrownBy(() -> GatewayUnderTest.start(settings, directory))
                .hasMessageContaining("consumer silent can't be started: " + Silent.class.getName())
                .hasMessageContaining("without ending in super.start()");
    }

    @Test
    void aConsumerWhoseStopReturnsNullIsNotWaitedFor() {
        databaseIsUp = true;
        GatewaySettings settings = new GatewaySettings()
                .receiver("drain-timeout: 1m")
                .consumer("silent", "*", Silent.class.getName(), deliveries);
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings, directory)) {
            CompletableFuture<Void> changed = CompletableFuture.runAsync(() -> gateway.reconfigure(
                    new GatewaySettings().receiver("drain-timeout: 1m").consumer("silent", "*", deliveries),
                    directory));

            gateway.push(envelope("client.created", 1));

            assertThat(changed).succeedsWithin(Duration.ofSeconds(30));
            eventually(() -> assertThat(deliveries.bodies()).hasSize(1));
        }
    }

    @Test
    void whileAStopWaitsForAConsumerNothingAsksForWhatIsClosed() {
        GatewaySettings settings = new GatewaySettings()
                .receiver("drain-timeout: 5s")
                .consumer("late", "*", EndsLate.class.getName(), deliveries);
        try (LogLines log = LogLines.atInfo()) {
            try (GatewayUnderTest gateway = GatewayUnderTest.start(settings, directory)) {
                gateway.push(envelope("client.created", 1));
                eventually(() -> assertThat(deliveries.bodies()).hasSize(1));
            }

            assertThat(log.text()).contains("left behind: consumer-late").doesNotContain("unexpected");
        }
    }

    @Test
    void ofAConsumerThatUndeploysItselfThisIsSaid() {
        GatewaySettings settings =
                new GatewaySettings().consumer("brief", "*", Leaves.class.getName(), deliveries, "timeout: 100ms");
        try (LogLines log = LogLines.atInfo();
                GatewayUnderTest gateway = GatewayUnderTest.start(settings, directory)) {
            gateway.push(envelope("client.created", 1));

            eventually(() -> assertThat(log.text()).contains("no answer to 1 push"));
            assertThat(log.text())
                    .contains("its verticle has been undeployed, and is back after a restart")
                    .doesNotContain("No handlers for address");
        }
    }

    @Test
    void whatWaitedBehindAnotherLaneHasNotFailed() {
        GatewaySettings settings = new GatewaySettings()
                .receiver("drain-timeout: 300ms")
                .consumer("slow", "*", Stuck.class.getName(), deliveries, "timeout: 100ms");
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings, directory)) {
            gateway.push(envelope("client.created", "one", 1));
            gateway.push(envelope("client.created", "two", 2));

            // The first one's attempt is over when the bus gives up on it; the second's has not begun by then.
            eventually(() -> assertThat(gateway.metric("holdfast_consumer_retried_total{consumer=\"slow\"}"))
                    .isEqualTo(1));
            freed.countDown();

            eventually(() -> assertThat(gateway.metric("holdfast_consumer_lag_pushes{consumer=\"slow\"}"))
                    .isZero());
            assertThat(gateway.metric("holdfast_consumer_retried_total{consumer=\"slow\"}"))
                    .isEqualTo(1);
        }
    }

    @Test
    void eachPushOfABatchHasTheWholeTimeoutToItself() {
        Backlog.fill(directory, 2, 1, Backlog::small);
        List<Long> begun = new CopyOnWriteArrayList<>();
        deliveries.behave(push -> {
            if (push.seq() == 1) {
                Executor slow = CompletableFuture.delayedExecutor(200, TimeUnit.MILLISECONDS);
                return Future.fromCompletionStage(CompletableFuture.runAsync(() -> {}, slow));
            }
            begun.add(System.nanoTime());
            return push.attempt() == 1 ? Future.future(never -> {}) : Future.succeededFuture();
        });
        try (GatewayUnderTest gateway = GatewayUnderTest.start(
                new GatewaySettings().consumer("sluggish", "*", deliveries, "timeout: 3s"), directory)) {
            eventually(() -> assertThat(deliveries.handledSeqs()).containsExactly(1L, 2L));
            assertThat(Duration.ofNanos(begun.get(1) - begun.get(0))).isGreaterThanOrEqualTo(Duration.ofSeconds(3));
            assertThat(gateway.metric("holdfast_consumer_retried_total{consumer=\"sluggish\"}"))
                    .isEqualTo(1);
        }
    }

    /** Vert.x would share the connections of a port between all servers in it that were opened alike. */
    @Test
    void aServerThatAConsumerOpensOnThePortsGetsNoneOfTheirConnections() {
        try (HeldPort webhook = new HeldPort();
                HeldPort management = new HeldPort();
                GatewayUnderTest gateway = GatewayUnderTest.start(
                        new GatewaySettings()
                                .receiver("port: " + webhook.number())
                                .management("port: " + management.number()),
                        directory)) {
            assertThat(List.of(webhook, management))
                    .allSatisfy(port -> assertThatThrownBy(() -> gateway.gateway()
                                    .vertx()
                                    .createHttpServer()
                                    .requestHandler(
                                            request -> request.response().end())
                                    .listen(port.number(), "127.0.0.1")
                                    .await())
                            .hasMessageContaining("in use"));
        }
    }
}
