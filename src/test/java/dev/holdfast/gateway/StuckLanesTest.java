package dev.holdfast.gateway;

import static dev.holdfast.Eventually.eventually;
import static dev.holdfast.gateway.DeliveryOrderTest.envelopes;
import static dev.holdfast.gateway.DeliveryOrderTest.push;
import static dev.holdfast.gateway.DeliveryOrderTest.pushAtOnce;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.bench.Backlog;
import dev.holdfast.push.Push;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Lanes that can't go on, and those beside them. */
@Timeout(300)
class StuckLanesTest {
    private static final int MANY = 10_000;

    @TempDir
    Path directory;

    private final Deliveries deliveries = new Deliveries();
    private final AtomicBoolean broken = new AtomicBoolean(true);

    private Future<?> failStuck(Push push) {
        return push.enterpriseToken().startsWith("stuck") && broken.get()
                ? Future.failedFuture("not yet")
                : Future.succeededFuture();
    }

    private static List<String> interleaved(int count, String... enterprises) {
        return IntStream.range(0, count)
                .mapToObj(n -> GatewayUnderTest.envelope("client.created", enterprises[n % enterprises.length], n))
                .toList();
    }

    /** The same, in the journal of a gateway that is not there. */
    private void fill(String... enterprises) {
        Backlog.fill(
                directory,
                MANY,
                enterprises.length,
                (lane, n) -> GatewayUnderTest.bytes(GatewayUnderTest.envelope("client.created", enterprises[lane], n)));
    }

    private long handledOf(String enterprise) {
        return deliveries.handled().stream()
                .filter(push -> push.enterpriseToken().equals(enterprise))
                .count();
    }

    private void assertEachLaneInOrderAndNothingTwice(int count) {
        assertThat(deliveries.handled()).hasSize(count);
        Map<String, List<Long>> lanes = deliveries.handled().stream()
                .collect(Collectors.groupingBy(
                        Push::enterpriseToken, Collectors.mapping(Push::seq, Collectors.toList())));
        lanes.values().forEach(seqs -> assertThat(seqs).isSorted().doesNotHaveDuplicates());
    }

    @Test
    void aStuckLaneHoldsBackNothingButItself() {
        deliveries.behave(this::failStuck);
        GatewaySettings settings = new GatewaySettings().consumer("everything", "*", deliveries);
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings, directory)) {
            pushAtOnce(gateway, interleaved(MANY, "stuck", "working"));

            eventually(() -> assertThat(handledOf("working")).isEqualTo(MANY / 2));
            assertThat(handledOf("stuck")).isZero();
            assertThat(gateway.metric("holdfast_consumer_lanes_blocked{consumer=\"everything\"}"))
                    .isEqualTo(1);

            broken.set(false);
            eventually(() -> assertThat(handledOf("stuck")).isEqualTo(MANY / 2));
            assertEachLaneInOrderAndNothingTwice(MANY);
            eventually(() -> assertThat(gateway.metric("holdfast_consumer_lag_pushes{consumer=\"everything\"}"))
                    .isZero());
            assertThat(gateway.metric("holdfast_consumer_lanes_blocked{consumer=\"everything\"}"))
                    .isZero();
        }
    }

    @Test
    void aLaneOfWhichNothingEverComesBackHoldsNoOtherBack() {
        deliveries.behave(push ->
                push.enterpriseToken().equals("stuck") ? Promise.promise().future() : Future.succeededFuture());
        GatewaySettings settings = new GatewaySettings()
                .receiver("drain-timeout: 300ms")
                .consumer("everything", "*", deliveries, "timeout: 10m");
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings, directory)) {
            pushAtOnce(gateway, interleaved(MANY, "stuck", "working"));

            eventually(() -> assertThat(handledOf("working")).isEqualTo(MANY / 2));
            assertThat(deliveries.attempts().stream()
                            .filter(push -> push.enterpriseToken().equals("stuck")))
                    .hasSize(1);
        } finally {
            deliveries.behave(push -> Future.succeededFuture());
        }
    }

    /** Of the others there are more than memory holds; they are tried in turn, and slow the consumer as a whole. */
    @Test
    void manyStuckLanesHoldTheOneThatWorksNotBack() {
        Backlog.fill(directory, MANY, 200, (lane, n) -> Backlog.small(lane % 4 == 0 ? 1_000 : lane, n));
        deliveries.behave(push ->
                push.enterpriseToken().equals("ent-1000") ? Future.succeededFuture() : Future.failedFuture("not yet"));
        GatewaySettings settings =
                new GatewaySettings().consumer("everything", "*", deliveries, "retry: {max-delay: 10s}");
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings, directory)) {
            eventually(() -> assertThat(handledOf("ent-1000")).isEqualTo(MANY / 4));
            assertThat(gateway.isReady()).isTrue();
        }
    }

    @Test
    void manyStuckLanesGoOnInOrderWhenTheyCan() {
        deliveries.behave(this::failStuck);
        String[] enterprises = IntStream.range(0, 200)
                .mapToObj(n -> n % 4 == 0 ? "working" : "stuck-" + n)
                .toArray(String[]::new);
        GatewaySettings settings = new GatewaySettings().consumer("everything", "*", deliveries);
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings, directory)) {
            pushAtOnce(gateway, interleaved(MANY, enterprises));
            eventually(() -> assertThat(handledOf("working")).isEqualTo(MANY / 4));

            broken.set(false);
            eventually(() -> assertThat(deliveries.handled()).hasSize(MANY));
            assertEachLaneInOrderAndNothingTwice(MANY);
        }
    }

    @Test
    void afterARestartAStuckLaneGoesOnWhereItWasAndTheOthersWithNothingTwice() {
        deliveries.behave(this::failStuck);
        GatewaySettings settings = new GatewaySettings().consumer("everything", "*", deliveries);
        for (int life = 0; life < 2; life++) {
            fill("stuck-" + life, "working-" + life);
            // The second one is stopped in the middle of it.
            int handled = MANY / 2 + life;
            try (GatewayUnderTest gateway = GatewayUnderTest.start(settings, directory)) {
                assertThat(gateway.isReady()).isTrue();
                eventually(() -> assertThat(deliveries.handled()).hasSizeGreaterThanOrEqualTo(handled));
            }
        }
        broken.set(false);
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings, directory)) {
            eventually(() -> assertThat(deliveries.handled()).hasSize(2 * MANY));
            push(gateway, envelopes("client.created", "last", 1));
            eventually(() -> assertThat(handledOf("last")).isEqualTo(1));
        }
        assertEachLaneInOrderAndNothingTwice(2 * MANY + 1);
    }

    @Test
    void afterACleanStopNothingComesAgainBesideALaneThatFailed() {
        deliveries.behave(this::failStuck);
        GatewaySettings settings = new GatewaySettings().consumer("everything", "*", deliveries);
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings, directory)) {
            push(gateway, interleaved(100, "stuck", "working"));
            eventually(() -> assertThat(handledOf("working")).isEqualTo(50));
        }
        broken.set(false);
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings, directory)) {
            push(gateway, envelopes("client.created", "last", 1));
            eventually(() -> assertThat(deliveries.handled()).hasSizeGreaterThanOrEqualTo(101));
        }
        assertEachLaneInOrderAndNothingTwice(101);
    }

    @Test
    void withAnotherOrderByNothingThatWasBehindIsLost() {
        deliveries.behave(this::failStuck);
        fill("stuck", "working");
        try (GatewayUnderTest gateway =
                GatewayUnderTest.start(new GatewaySettings().consumer("everything", "*", deliveries), directory)) {
            assertThat(gateway.isReady()).isTrue();
            eventually(() -> assertThat(handledOf("working")).isEqualTo(MANY / 2));
        }
        broken.set(false);
        GatewaySettings other = new GatewaySettings().consumer("everything", "*", deliveries, "order-by: [/n]");
        try (GatewayUnderTest gateway = GatewayUnderTest.start(other, directory)) {
            assertThat(gateway.isReady()).isTrue();
            eventually(() -> assertThat(Set.copyOf(deliveries.handledSeqs())).hasSize(MANY));
        }
    }

    @Test
    void noMoreLanesAreAtWorkThanConfigured() {
        AtomicInteger together = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        deliveries.behave(push -> {
            most.accumulateAndGet(together.incrementAndGet(), Math::max);
            return Vertx.currentContext().owner().timer(2).andThen((done, failure) -> together.decrementAndGet());
        });
        // All are there before the first is delivered: on a slow disk each would be handled before the next comes in.
        Backlog.fill(directory, 300, 1, Backlog::small);
        GatewaySettings settings = new GatewaySettings()
                .consumer("everything", "*", deliveries, "order-by: [/nothing, /client/n]", "concurrency: 3");
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings, directory)) {
            assertThat(gateway.isReady()).isTrue();
            eventually(() -> assertThat(deliveries.handled()).hasSize(300));
            assertThat(most.get()).isEqualTo(3);
        }
    }

    @Test
    void instancesBlockBesideEachOtherOnThreadsOfTheirOwn() {
        CountDownLatch together = new CountDownLatch(4);
        Set<String> threads = ConcurrentHashMap.newKeySet();
        deliveries.behave(push -> {
            threads.add(Thread.currentThread().getName());
            together.countDown();
            try {
                together.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return Future.succeededFuture();
        });
        GatewaySettings settings = new GatewaySettings()
                .consumer("everything", "*", deliveries, "order-by: [/n]", "concurrency: 4", "instances: 4");
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings, directory)) {
            push(gateway, envelopes("client.created", "ent-1", 4));

            eventually(() -> assertThat(deliveries.handled()).hasSize(4));
            assertThat(threads).hasSize(4);
        }
    }
}
