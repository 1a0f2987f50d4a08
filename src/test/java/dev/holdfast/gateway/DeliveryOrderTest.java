package dev.holdfast.gateway;

import static dev.holdfast.Eventually.eventually;
import static dev.holdfast.gateway.GatewayUnderTest.envelope;
import static dev.holdfast.gateway.GatewayUnderTest.signed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.bench.Backlog;
import dev.holdfast.push.Push;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What consumers get, in which order, and what one of them costs the others. */
@Timeout(180)
class DeliveryOrderTest {
    private static final int IN_ORDER = 500;
    private static final int AT_ONCE = 50;

    @TempDir
    Path directory;

    private final Deliveries deliveries = new Deliveries();
    private final Deliveries others = new Deliveries();

    /** Sends pushes in order and reads the answers, all of them 200. */
    static void push(GatewayUnderTest gateway, List<String> bodies) {
        for (int from = 0; from < bodies.size(); from += IN_ORDER) {
            push(gateway, bodies.subList(from, Math.min(bodies.size(), from + IN_ORDER)), IN_ORDER);
        }
    }

    /** The same over many connections at once, in no order: on one connection each push waits for the commit of the one before. */
    static void pushAtOnce(GatewayUnderTest gateway, List<String> bodies) {
        push(gateway, bodies, AT_ONCE);
    }

    private static void push(GatewayUnderTest gateway, List<String> bodies, int ofAConnection) {
        List<RawConnection> connections = new ArrayList<>();
        try {
            for (int from = 0; from < bodies.size(); from += ofAConnection) {
                ByteArrayOutputStream requests = new ByteArrayOutputStream();
                bodies.subList(from, Math.min(bodies.size(), from + ofAConnection))
                        .forEach(body -> requests.writeBytes(signed(body)));
                connections.add(gateway.connect().send(requests.toByteArray()));
            }
            for (int i = 0; i < bodies.size(); i++) {
                assertThat(connections.get(i / ofAConnection).answer().status()).isEqualTo(200);
            }
        } finally {
            connections.forEach(RawConnection::close);
        }
    }

    static List<String> envelopes(String event, String enterprise, int count) {
        return java.util.stream.IntStream.range(0, count)
                .mapToObj(n -> envelope(event, enterprise, n))
                .toList();
    }

    private static List<Long> upTo(long last) {
        return LongStream.rangeClosed(1, last).boxed().toList();
    }

    @Test
    void aLaneIsDeliveredInOrder() {
        GatewaySettings settings = new GatewaySettings().consumer("everything", "*", deliveries);
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings, directory)) {
            push(gateway, envelopes("client.created", "ent-1", 2000));

            eventually(() -> assertThat(deliveries.handled()).hasSize(2000));
            assertThat(deliveries.attemptedSeqs()).isEqualTo(upTo(2000));
        }
    }

    @Test
    void aConsumerGetsWhatItSubscribedToAndNothingElse() {
        GatewaySettings settings = new GatewaySettings()
                .consumer("family", "client.*", deliveries)
                .consumer("one", "conversation.closed", others);
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings, directory)) {
            List<String> events = List.of(
                    "client.created",
                    "clients.created",
                    "client",
                    "client.a.b",
                    "conversation.closed",
                    "conversation.closed.late",
                    "client.deleted");
            events.forEach(event -> gateway.push(envelope(event, 1)));

            eventually(() -> {
                assertThat(deliveries.events()).containsExactly("client.created", "client.a.b", "client.deleted");
                assertThat(others.events()).containsExactly("conversation.closed");
            });
            assertThat(gateway.metric("holdfast_pushes_unsubscribed_total")).isEqualTo(3);
        }
    }

    static Stream<Function<Push, Future<?>>> failures() {
        Executor elsewhere = task -> new Thread(task, "elsewhere").start();
        return Stream.of(
                push -> Future.failedFuture("no"),
                push -> {
                    throw new IllegalStateException("no");
                },
                push -> {
                    throw new StackOverflowError("no");
                },
                DeliveryOrderTest::nothing,
                push -> Promise.promise().future(),
                push -> Future.fromCompletionStage(CompletableFuture.runAsync(
                        () -> {
                            throw new IllegalStateException("no");
                        },
                        elsewhere)));
    }

    @SuppressWarnings("NullAway") // what consumers written without it may do
    private static Future<?> nothing(Push push) {
        return null;
    }

    @ParameterizedTest
    @MethodSource("failures")
    void aFailedAttemptIsMadeAgainBeforeAnythingBehindIt(Function<Push, Future<?>> failure) {
        AtomicInteger failures = new AtomicInteger();
        deliveries.behave(push ->
                push.seq() == 2 && failures.getAndIncrement() < 3 ? failure.apply(push) : Future.succeededFuture());
        GatewaySettings settings = new GatewaySettings().consumer("everything", "*", deliveries, "timeout: 300ms");
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings, directory)) {
            push(gateway, envelopes("client.created", "ent-1", 4));

            eventually(() -> assertThat(deliveries.handledSeqs()).containsExactly(1L, 2L, 3L, 4L));
            assertThat(deliveries.attemptedSeqs()).containsExactly(1L, 2L, 2L, 2L, 2L, 3L, 4L);
            assertThat(gateway.metric("holdfast_consumer_retried_total{consumer=\"everything\"}"))
                    .isEqualTo(3);
            eventually(() -> assertThat(gateway.metric("holdfast_consumer_delivered_total{consumer=\"everything\"}"))
                    .isEqualTo(4));
        }
    }

    @Test
    void aConsumerThatNeverComesBackHoldsNoOtherUp() {
        CountDownLatch released = new CountDownLatch(1);
        deliveries.behave(push -> {
            try {
                released.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return Future.succeededFuture();
        });
        GatewaySettings settings =
                new GatewaySettings().consumer("blocks", "*", deliveries).consumer("works", "*", others);
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings, directory)) {
            pushAtOnce(gateway, envelopes("client.created", "ent-1", 10_000));

            eventually(() -> assertThat(others.handled()).hasSize(10_000));
            assertThat(deliveries.attempts()).hasSize(1);
            released.countDown();
            eventually(() -> assertThat(deliveries.handled()).hasSize(10_000));
            assertThat(deliveries.handledSeqs()).isEqualTo(upTo(10_000));
        } finally {
            released.countDown();
        }
    }

    @Test
    void aLaneThatFailsAWhileGoesOnThoughTheOthersWentFarAhead() {
        AtomicBoolean broken = new AtomicBoolean(true);
        deliveries.behave(push -> push.enterpriseToken().equals("broken") && broken.get()
                ? Future.failedFuture("not yet")
                : Future.succeededFuture());
        try (GatewayUnderTest gateway = GatewayUnderTest.start(new GatewaySettings(), directory)) {
            push(gateway, envelopes("client.created", "broken", 1));
            // Not subscribed to, so that what is read at once doesn't fill the window to the brim but past it.
            push(gateway, envelopes("other.created", "ent-1", 100));
            pushAtOnce(gateway, envelopes("client.created", "working", 6000));
        }
        GatewaySettings settings = new GatewaySettings().consumer("everything", "client.*", deliveries);
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings, directory)) {
            eventually(() -> assertThat(deliveries.handled()).hasSizeGreaterThanOrEqualTo(4096));
            eventually(() -> assertThat(retried(gateway)).isGreaterThan(15));

            broken.set(false);

            eventually(() -> assertThat(deliveries.handled()).hasSize(6001));
        }
    }

    private static double retried(GatewayUnderTest gateway) {
        return gateway.metric("holdfast_consumer_retried_total{consumer=\"everything\"}");
    }

    @Test
    void aConsumerStaysOnItsThreadWhoeverCompletesItsFutures() {
        deliveries.behave(push -> {
            Promise<Void> done = Promise.promise();
            new Thread(done::complete, "foreign").start();
            return done.future();
        });
        GatewaySettings settings = new GatewaySettings().consumer("everything", "*", deliveries);
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings, directory)) {
            push(gateway, envelopes("client.created", "ent-1", 300));

            eventually(() -> assertThat(deliveries.handled()).hasSize(300));
            assertThat(deliveries.threads())
                    .extracting(Thread::getName)
                    .allMatch(name -> name.startsWith("consumer-everything"));
        }
    }

    @Test
    void aConsumerRunsOnAnEventLoopWhenItSaysSo() {
        GatewaySettings settings =
                new GatewaySettings().consumer("everything", "*", deliveries, "threading: event-loop");
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings, directory)) {
            push(gateway, envelopes("client.created", "ent-1", 30));

            eventually(() -> assertThat(deliveries.handled()).hasSize(30));
            assertThat(deliveries.threads())
                    .extracting(Thread::getName)
                    .allMatch(name -> name.startsWith("vert.x-eventloop-thread"));
        }
    }

    /** In Java 17, which has none, it is refused. */
    @Test
    void aConsumerRunsOnVirtualThreadsWhereJavaHasThem() {
        GatewaySettings settings =
                new GatewaySettings().consumer("everything", "*", deliveries, "threading: virtual-thread");
        if (Runtime.version().feature() < 21) {
            assertThatThrownBy(() -> GatewayUnderTest.start(settings, directory))
                    .hasMessageContaining("found \"virtual-thread\", expected worker or event-loop (virtual threads");
            return;
        }
        deliveries.behave(push ->
                Future.succeededFuture(Vertx.currentContext().owner().timer(1).await()));
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings, directory)) {
            push(gateway, envelopes("client.created", "ent-1", 30));

            eventually(() -> assertThat(deliveries.handled()).hasSize(30));
            assertThat(deliveries.handled().stream().map(Push::seq)).isSorted();
            assertThat(deliveries.threads()).extracting(Thread::toString).allMatch(name -> name.startsWith("Virtual"));
        }
    }

    @Test
    void lanesOverlapWhileFuturesArePendingAndEachIsInOrder() {
        Map<String, AtomicInteger> running = new ConcurrentHashMap<>();
        AtomicInteger together = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        AtomicBoolean overlapped = new AtomicBoolean();
        deliveries.behave(push -> {
            AtomicInteger lane = running.computeIfAbsent(push.enterpriseToken(), token -> new AtomicInteger());
            overlapped.compareAndSet(false, lane.incrementAndGet() > 1);
            most.accumulateAndGet(together.incrementAndGet(), Math::max);
            return Vertx.currentContext().owner().timer(5).andThen((done, failure) -> {
                lane.decrementAndGet();
                together.decrementAndGet();
            });
        });
        // All are there before the first is delivered: on a slow disk each would be handled before the next comes in.
        Backlog.fill(directory, 400, 4, Backlog::small);
        GatewaySettings settings = new GatewaySettings().consumer("everything", "*", deliveries);
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings, directory)) {
            assertThat(gateway.isReady()).isTrue();
            eventually(() -> assertThat(deliveries.handled()).hasSize(400));
            assertThat(overlapped).isFalse();
            assertThat(most.get()).isGreaterThan(1);
            for (int lane = 0; lane < 4; lane++) {
                String token = "ent-" + lane;
                assertThat(deliveries.handled().stream()
                                .filter(push -> push.enterpriseToken().equals(token))
                                .map(Push::seq))
                        .isSorted();
            }
        }
    }

    @Test
    void aPushIsEachConsumersOwn() {
        deliveries.behave(push -> {
            push.json().put("event", "changed").put("more", 1);
            push.body().setByte(0, (byte) 'x');
            return Future.succeededFuture();
        });
        GatewaySettings settings =
                new GatewaySettings().consumer("changes", "*", deliveries).consumer("reads", "*", others);
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings, directory)) {
            String body = envelope("client.created", 1);
            gateway.push(body);

            eventually(() -> {
                assertThat(deliveries.handled()).hasSize(1);
                assertThat(others.handled()).hasSize(1);
            });
            assertThat(others.bodies()).containsExactly(body);
            assertThat(others.handled().get(0).json().getString("event")).isEqualTo("client.created");
        }
    }
}
