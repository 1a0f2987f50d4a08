package dev.holdfast.gateway;

import static dev.holdfast.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.LogLines;
import dev.holdfast.consumer.RetryLater;
import dev.holdfast.push.PermanentFailure;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Consumers that make many pushes lasting at once. */
@Timeout(60)
class CommitTest {
    private static final String DELIVERED = "holdfast_consumer_delivered_total{consumer=\"commits\"}";

    private static final String SOON = "first-delay: 20ms, max-delay: 200ms";

    @TempDir
    Path directory;

    private final AtomicInteger commits = new AtomicInteger();

    @BeforeEach
    void forget() {
        CommittingConsumer.COMMITTED.clear();
        CommittingConsumer.handling = Future::succeededFuture;
    }

    private GatewayUnderTest start() {
        return start(SOON);
    }

    private GatewayUnderTest start(String retry) {
        GatewaySettings settings = new GatewaySettings()
                .consumer(
                        "commits",
                        "*",
                        CommittingConsumer.class.getName(),
                        new Deliveries(),
                        "retry: {jitter: 0, " + retry + "}")
                .consumer("witness", "*", new Deliveries());
        return GatewayUnderTest.start(settings, directory);
    }

    private static List<Long> committed() {
        return CommittingConsumer.COMMITTED.stream().flatMap(List::stream).toList();
    }

    private static List<Long> upTo(long last) {
        return LongStream.rangeClosed(1, last).boxed().toList();
    }

    /** So that the others are committed together. */
    private void pushWhileTheFirstIsCommitted(GatewayUnderTest gateway, List<String> bodies, Promise<Void> first) {
        pushWhileTheFirstAreCommitted(gateway, bodies, 1);
        first.complete();
    }

    /** Where the other consumer has had them all, they wait for this one's lanes. */
    private void pushWhileTheFirstAreCommitted(GatewayUnderTest gateway, List<String> bodies, int first) {
        DeliveryOrderTest.push(gateway, bodies.subList(0, first));
        eventually(() -> assertThat(commits).hasValue(first));
        DeliveryOrderTest.push(gateway, bodies.subList(first, bodies.size()));
        eventually(() -> assertThat(gateway.metric("holdfast_consumer_delivered_total{consumer=\"witness\"}"))
                .isEqualTo(bodies.size()));
    }

    @Test
    void oneCommitServesManyPushes() {
        Promise<Void> first = Promise.promise();
        CommittingConsumer.outcome = some -> first.future();
        try (GatewayUnderTest gateway = start()) {
            DeliveryOrderTest.pushAtOnce(gateway, DeliveryOrderTest.envelopes("client.created", "ent-1", 2000));
            first.complete();

            eventually(() -> assertThat(gateway.metric(DELIVERED)).isEqualTo(2000));
            assertThat(committed()).isEqualTo(upTo(2000));
            assertThat(CommittingConsumer.COMMITTED).hasSizeLessThan(100);
        }
    }

    @Test
    void nothingCountsAsHandledBeforeItsCommit() {
        Promise<Void> first = Promise.promise();
        CommittingConsumer.outcome = some -> {
            commits.incrementAndGet();
            return first.future();
        };
        try (GatewayUnderTest gateway = start()) {
            DeliveryOrderTest.push(gateway, DeliveryOrderTest.envelopes("client.created", "ent-1", 3));
            eventually(() -> assertThat(commits).hasValue(1));
            assertThat(gateway.metric(DELIVERED)).isZero();

            first.complete();

            eventually(() -> assertThat(gateway.metric(DELIVERED)).isEqualTo(3));
        }
    }

    @Test
    void afterAFailedCommitItsPushesComeAgainInOrder() {
        CommittingConsumer.outcome = some -> switch (commits.getAndIncrement()) {
            case 0 -> Future.failedFuture("no");
            case 1 -> throw new IllegalStateException("no");
            default -> Future.succeededFuture();
        };
        try (GatewayUnderTest gateway = start()) {
            DeliveryOrderTest.push(gateway, DeliveryOrderTest.envelopes("client.created", "ent-1", 5));

            eventually(() -> assertThat(gateway.metric(DELIVERED)).isEqualTo(5));
            assertThat(committed()).isEqualTo(upTo(5));
            assertThat(gateway.metric("holdfast_consumer_retried_total{consumer=\"commits\"}"))
                    .isEqualTo(2);
        }
    }

    /** As of rows that are written at the commit, or of a constraint that is looked at only then. */
    @Test
    void ofPushesWhoseCommitFailsOnlyTheOneThatIsTheCauseBecomesADeadLetter() {
        Promise<Void> first = Promise.promise();
        List<List<Long>> refused = new CopyOnWriteArrayList<>();
        CommittingConsumer.outcome = some -> {
            if (commits.getAndIncrement() == 0) {
                return first.future();
            }
            if (some.contains(7L)) {
                refused.add(some);
                return Future.failedFuture(new PermanentFailure("breaks a constraint"));
            }
            return Future.succeededFuture();
        };
        try (GatewayUnderTest gateway = start()) {
            pushWhileTheFirstIsCommitted(gateway, DeliveryOrderTest.envelopes("client.created", "ent-1", 11), first);

            eventually(() -> assertThat(gateway.metric(DELIVERED)).isEqualTo(10));
            assertThat(refused).hasSize(2);
            assertThat(refused.get(0)).hasSizeGreaterThan(1).contains(6L, 7L);
            assertThat(refused.get(1)).containsExactly(7L);
            assertThat(committed())
                    .isEqualTo(upTo(11).stream().filter(seq -> seq != 7).toList());
            assertThat(gateway.metric("holdfast_consumer_dead_letters{consumer=\"commits\"}"))
                    .isEqualTo(1);
        }
    }

    @Test
    void ofPushesWhoseCommitAskedForTimeOnlyTheFirstComesAlone() {
        Promise<Void> first = Promise.promise();
        List<List<Long>> tried = new CopyOnWriteArrayList<>();
        CommittingConsumer.outcome = some -> {
            tried.add(some);
            return switch (commits.getAndIncrement()) {
                case 0 -> first.future();
                case 1 -> Future.failedFuture(new RetryLater("busy", Duration.ofMillis(1)));
                default -> Future.succeededFuture();
            };
        };
        try (GatewayUnderTest gateway = start()) {
            pushWhileTheFirstIsCommitted(gateway, DeliveryOrderTest.envelopes("client.created", "ent-1", 11), first);

            eventually(() -> assertThat(gateway.metric(DELIVERED)).isEqualTo(11));
            assertThat(tried.get(1)).hasSizeGreaterThan(1);
            assertThat(tried.get(2)).containsExactly(tried.get(1).get(0));
            assertThat(tried.get(3)).hasSizeGreaterThan(1);
        }
    }

    /** Were it tried again with those behind it, their commit would fail too, and each of them be sent alone. */
    @Test
    void aPushWhoseCommitFailedAloneIsTriedAgainAlone() {
        Promise<Void> first = Promise.promise();
        List<List<Long>> all = new CopyOnWriteArrayList<>();
        CommittingConsumer.outcome = some -> {
            all.add(some);
            int before = commits.getAndIncrement();
            return before == 0 ? first.future() : before < 3 ? Future.failedFuture("no") : Future.succeededFuture();
        };
        try (GatewayUnderTest gateway = start()) {
            pushWhileTheFirstAreCommitted(gateway, DeliveryOrderTest.envelopes("client.created", "ent-1", 11), 1);
            first.fail("no");

            eventually(() -> assertThat(gateway.metric(DELIVERED)).isEqualTo(11));
            assertThat(committed()).isEqualTo(upTo(11));
            assertThat(all).filteredOn(some -> some.contains(1L)).hasSize(4).containsOnly(List.of(1L));
        }
    }

    /**
     * Nine pushes fail, each at the head of its lane. Were each counted once with those behind it and once more alone, the consumer
     * would count as one that fails everything, in which no attempt brings a push nearer to its last one.
     */
    @Test
    void aPushThatFailsAloneAfterOthersFailedWithItIsOnePush() {
        Promise<Void> first = Promise.promise();
        CommittingConsumer.outcome = some -> {
            commits.incrementAndGet();
            boolean refused = some.stream().anyMatch(seq -> seq > 9 && seq <= 18);
            return !first.future().isComplete()
                    ? first.future()
                    : refused ? Future.failedFuture("breaks a constraint") : Future.succeededFuture();
        };
        List<String> bodies = IntStream.range(0, 27)
                .mapToObj(n -> GatewayUnderTest.envelope("client.created", "ent-" + n % 9, n))
                .toList();
        try (GatewayUnderTest gateway = start(SOON + ", max-attempts: 3")) {
            pushWhileTheFirstAreCommitted(gateway, bodies, 9);
            first.complete();

            eventually(() -> assertThat(gateway.metric("holdfast_consumer_dead_letters{consumer=\"commits\"}"))
                    .isEqualTo(9));
            eventually(() -> assertThat(gateway.metric(DELIVERED)).isEqualTo(18));
        }
    }

    /** The lane may wait for an hour, and no push of it has failed alone. */
    @Test
    void aFailedCommitOfSeveralPushesIsShown() {
        Promise<Void> first = Promise.promise();
        CommittingConsumer.outcome =
                some -> commits.getAndIncrement() == 0 ? first.future() : Future.failedFuture("the database is away");
        try (GatewayUnderTest gateway = start("first-delay: 1h, max-delay: 1h");
                LogLines log = LogLines.atWarn()) {
            pushWhileTheFirstIsCommitted(gateway, DeliveryOrderTest.envelopes("client.created", "ent-1", 11), first);

            eventually(() -> {
                JsonObject shown = new JsonObject(
                        gateway.management("/api/v1/consumers/commits").body());
                assertThat(shown.getInteger("lanesBackingOff")).isEqualTo(1);
                for (String failure : List.of("lastFailure", "blockedBy")) {
                    assertThat(shown.getJsonObject(failure))
                            .as(failure)
                            .isNotNull()
                            .contains(Map.entry("seq", 2), Map.entry("error", "the database is away"));
                }
            });
            assertThat(log.text()).contains("failed, next in 3600000 ms: the database is away");
        }
    }

    /** A message may quote any of them, not only the first. */
    @Test
    void nothingOfAnyPushOfAFailedCommitIsShown() {
        Promise<Void> first = Promise.promise();
        AtomicLong quoted = new AtomicLong();
        CommittingConsumer.outcome = some -> {
            if (commits.getAndIncrement() == 0) {
                return first.future();
            }
            long last = 13_800_138_000L + some.get(some.size() - 1);
            return some.size() > 1 && quoted.compareAndSet(0, last)
                    ? Future.failedFuture("no such client: " + last)
                    : Future.succeededFuture();
        };
        List<String> bodies = LongStream.rangeClosed(1, 50)
                .mapToObj(
                        seq -> "{\"event\":\"client.created\",\"client\":{\"phone\":" + (13_800_138_000L + seq) + "}}")
                .toList();
        try (GatewayUnderTest gateway = start();
                LogLines log = LogLines.atWarn()) {
            pushWhileTheFirstIsCommitted(gateway, bodies, first);

            eventually(() -> assertThat(gateway.metric(DELIVERED)).isEqualTo(50));
            assertThat(log.text()).contains("the commit of ").doesNotContain("" + quoted);
        }
    }

    /** Were the commit's time counted from the call on, it would be given up before its own is over. */
    @Test
    void handlingAndCommittingMayEachTakeTheConsumersTimeout() {
        AtomicLong committingAt = new AtomicLong();
        AtomicLong againAt = new AtomicLong();
        CommittingConsumer.handling = () -> {
            againAt.compareAndSet(0, commits.get() == 0 ? 0 : System.nanoTime());
            return CommittingConsumer.later(700);
        };
        CommittingConsumer.outcome = some -> {
            committingAt.compareAndSet(0, System.nanoTime());
            return commits.getAndIncrement() == 0 ? Promise.promise().future() : Future.succeededFuture();
        };
        GatewaySettings settings = new GatewaySettings()
                .consumer("commits", "*", CommittingConsumer.class.getName(), new Deliveries(), "timeout: 2s");
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings, directory)) {
            gateway.push(GatewayUnderTest.envelope("client.created", 1));

            eventually(() -> assertThat(gateway.metric(DELIVERED)).isEqualTo(1));
            assertThat(Duration.ofNanos(againAt.get() - committingAt.get()))
                    .isGreaterThanOrEqualTo(Duration.ofSeconds(2));
        }
    }
}
