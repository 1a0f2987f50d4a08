package dev.holdfast.gateway;

import static dev.holdfast.Eventually.eventually;
import static dev.holdfast.gateway.DeliveryOrderTest.envelopes;
import static dev.holdfast.gateway.DeliveryOrderTest.push;
import static dev.holdfast.gateway.GatewayUnderTest.envelope;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.bench.Backlog;
import dev.holdfast.journal.TrialJournal;
import dev.holdfast.push.PermanentFailure;
import dev.holdfast.push.Push;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Replays and retried dead letters beside the ordinary way: what they must not hold back, overtake or bring twice. */
@Timeout(90)
class ReplayLanesTest {
    @TempDir
    Path directory;

    private final Deliveries deliveries = new Deliveries();
    private final Deliveries others = new Deliveries();
    private final AtomicBoolean broken = new AtomicBoolean();

    private static JsonObject manage(GatewayUnderTest gateway, String path, String json) {
        HttpAnswer answer = gateway.manage(path, json);
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return new JsonObject(answer.body());
    }

    private static List<String> states(GatewayUnderTest gateway) {
        return new JsonObject(gateway.management("/api/v1/replays").body())
                .getJsonArray("replays").stream()
                        .map(replay -> ((JsonObject) replay).getString("state"))
                        .toList();
    }

    private static List<String> running(GatewayUnderTest gateway) {
        return states(gateway).stream()
                .filter(Set.of("running", "waiting")::contains)
                .toList();
    }

    private static List<Long> replayed(Deliveries deliveries, String enterprise) {
        return deliveries.handled().stream()
                .filter(Push::replay)
                .filter(push -> push.enterpriseToken().equals(enterprise))
                .map(Push::seq)
                .toList();
    }

    private Future<?> failStuck(Push push) {
        return push.enterpriseToken().equals("stuck") && broken.get()
                ? Future.failedFuture("not yet")
                : Future.succeededFuture();
    }

    private GatewayUnderTest start(String... lines) {
        return GatewayUnderTest.start(new GatewaySettings().consumer("mine", "*", deliveries, lines), directory);
    }

    @Test
    void aReplayDoesNotBringAPushBeforeThoseOfItsLaneThatWereNeverHandled() {
        broken.set(true);
        deliveries.behave(
                push -> push.seq() == 1 && broken.get() ? Future.failedFuture("no") : Future.succeededFuture());
        try (GatewayUnderTest gateway = start()) {
            push(gateway, envelopes("client.created", "ent-1", 3));
            eventually(() -> assertThat(deliveries.attemptedSeqs()).contains(1L));

            manage(gateway, "/api/v1/replays", "{\"from\":3,\"to\":3}");
            eventually(() -> assertThat(deliveries.attempts()).hasSizeGreaterThan(3));
            broken.set(false);

            eventually(() -> assertThat(running(gateway)).isEmpty());
            assertThat(deliveries.handledSeqs()).containsExactly(1L, 2L, 3L, 3L);
        }
    }

    @Test
    void aStuckLaneHoldsBackNoOtherLaneOfAReplay() {
        deliveries.behave(this::failStuck);
        try (GatewayUnderTest gateway = start()) {
            push(gateway, envelopes("client.created", "stuck", 600));
            push(gateway, envelopes("client.created", "working", 10));
            eventually(() -> assertThat(deliveries.handled()).hasSize(610));
            broken.set(true);

            manage(gateway, "/api/v1/replays", "{\"from\":1,\"rate\":100000}");

            eventually(() -> assertThat(replayed(deliveries, "working")).hasSize(10));
        } finally {
            broken.set(false);
        }
    }

    @Test
    void aStuckConsumerHoldsBackNoOtherConsumersReplay() {
        deliveries.behave(this::failStuck);
        GatewaySettings settings =
                new GatewaySettings().consumer("mine", "*", deliveries).consumer("yours", "*", others);
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings, directory)) {
            push(gateway, envelopes("client.created", "stuck", 700));
            eventually(() -> assertThat(deliveries.handled()).hasSize(700));
            eventually(() -> assertThat(others.handled()).hasSize(700));
            broken.set(true);

            manage(gateway, "/api/v1/replays", "{\"from\":1,\"rate\":100000}");

            eventually(() -> assertThat(replayed(others, "stuck")).hasSize(700));
        } finally {
            broken.set(false);
        }
    }

    @Test
    void afterARestartAReplayRepeatsNoMoreThanWasUnderWay() {
        deliveries.behave(this::failStuck);
        try (GatewayUnderTest gateway = start()) {
            push(gateway, envelopes("client.created", "stuck", 1));
            push(gateway, envelopes("client.created", "working", 2000));
            eventually(() -> assertThat(deliveries.handled()).hasSize(2001));
            broken.set(true);
            manage(gateway, "/api/v1/replays", "{\"from\":1,\"rate\":100000}");
            eventually(() -> assertThat(replayed(deliveries, "working")).hasSize(2000));
        }
        broken.set(false);
        try (GatewayUnderTest again = start()) {
            eventually(() -> assertThat(running(again)).isEmpty());
        }
        assertThat(replayed(deliveries, "working")).hasSizeLessThan(2600);
    }

    @Test
    void aConsumerTakenOutOfTheConfigurationEndsOrLeavesItsReplays() {
        GatewaySettings both =
                new GatewaySettings().consumer("mine", "*", deliveries).consumer("yours", "*", others);
        try (GatewayUnderTest gateway = GatewayUnderTest.start(both, directory)) {
            push(gateway, envelopes("client.created", "ent-1", 300));
            eventually(() -> assertThat(deliveries.handled()).hasSize(300));
            eventually(() -> assertThat(others.handled()).hasSize(300));
            manage(gateway, "/api/v1/replays", "{\"from\":1,\"rate\":100}");
            eventually(() -> assertThat(replayed(others, "ent-1")).isNotEmpty());

            gateway.reconfigure(new GatewaySettings().consumer("yours", "*", others), directory);

            eventually(() -> assertThat(replayed(others, "ent-1")).hasSize(300));
            eventually(() -> assertThat(running(gateway)).isEmpty());
            JsonObject ended = new JsonObject(
                            gateway.management("/api/v1/replays").body())
                    .getJsonArray("replays")
                    .getJsonObject(0);
            assertThat(ended.getString("state")).isEqualTo("stopped");
            assertThat(ended.getJsonArray("consumers").stream()
                            .map(JsonObject.class::cast)
                            .map(one -> one.getString("name") + " " + one.getBoolean("done")))
                    .containsExactly("mine false", "yours true");
        }
    }

    @Test
    void aConsumerThatIsGoneAfterARestartIsLeftOutAndTheOthersAreNot() {
        GatewaySettings both =
                new GatewaySettings().consumer("mine", "*", deliveries).consumer("yours", "*", others);
        try (GatewayUnderTest gateway = GatewayUnderTest.start(both, directory)) {
            push(gateway, envelopes("client.created", "ent-1", 300));
            eventually(() -> assertThat(deliveries.handled()).hasSize(300));
            eventually(() -> assertThat(others.handled()).hasSize(300));
            manage(gateway, "/api/v1/replays", "{\"from\":1,\"rate\":100}");
            eventually(() -> assertThat(replayed(others, "ent-1")).isNotEmpty());
        }
        try (GatewayUnderTest gateway =
                GatewayUnderTest.start(new GatewaySettings().consumer("yours", "*", others), directory)) {
            eventually(() -> assertThat(replayed(others, "ent-1")).hasSize(300));
            eventually(() -> assertThat(running(gateway)).isEmpty());
        }
    }

    @Test
    void aConsumerThatWasLeftOutHasItsPartWhenItIsConfiguredAgain() {
        GatewaySettings both =
                new GatewaySettings().consumer("mine", "*", deliveries).consumer("yours", "*", others);
        try (GatewayUnderTest gateway = GatewayUnderTest.start(both, directory)) {
            push(gateway, envelopes("client.created", "ent-1", 60));
            eventually(() -> assertThat(deliveries.handled()).hasSize(60));
            eventually(() -> assertThat(others.handled()).hasSize(60));
            manage(gateway, "/api/v1/replays", "{\"from\":1,\"rate\":20}");
            eventually(() -> assertThat(replayed(others, "ent-1")).isNotEmpty());
        }
        try (GatewayUnderTest gateway =
                GatewayUnderTest.start(new GatewaySettings().consumer("yours", "*", others), directory)) {
            eventually(() -> assertThat(states(gateway)).containsExactly("running"));
        }
        try (GatewayUnderTest gateway = GatewayUnderTest.start(both, directory)) {
            eventually(() -> assertThat(replayed(deliveries, "ent-1")).hasSize(60));
            eventually(() -> assertThat(states(gateway)).containsExactly("done"));
        }
    }

    /** How long a replay of everything takes. */
    private Duration replay(GatewayUnderTest gateway, int rate, int pushes) {
        int before = deliveries.handled().size();
        long begin = System.nanoTime();
        manage(gateway, "/api/v1/replays", "{\"from\":1,\"rate\":" + rate + "}");
        eventually(() -> assertThat(deliveries.handled()).hasSize(before + pushes));
        return Duration.ofNanos(System.nanoTime() - begin);
    }

    @Test
    void aReplayComesAsFastAsItsRateAllows() {
        int pushes = 10_000;
        Backlog.fill(directory, pushes, 1, Backlog::small);
        try (GatewayUnderTest gateway = start()) {
            long began = System.nanoTime();
            eventually(() -> assertThat(deliveries.handled()).hasSize(pushes));
            Duration delivery = Duration.ofNanos(System.nanoTime() - began);

            Duration asFastAsTheMachine = replay(gateway, 100_000, pushes);

            assertThat(asFastAsTheMachine).isLessThan(delivery.multipliedBy(10).plusSeconds(10));
            // A second by its rate.
            assertThat(replay(gateway, pushes, pushes))
                    .isLessThan(asFastAsTheMachine.multipliedBy(3).plusSeconds(3));
        }
    }

    @Test
    void aReplayStarvesNoLivePush() {
        CompletableFuture<Void> accepted = new CompletableFuture<>();
        deliveries.behave(push -> {
            if (push.replay()) {
                accepted.join();
                LockSupport.parkNanos(5_000_000);
            }
            return Future.succeededFuture();
        });
        try (GatewayUnderTest gateway = start()) {
            push(gateway, envelopes("client.created", "ent-1", 800));
            eventually(() -> assertThat(deliveries.handled()).hasSize(800));
            manage(gateway, "/api/v1/replays", "{\"from\":1}");
            eventually(() -> assertThat(deliveries.attempts()).anyMatch(Push::replay));

            gateway.push(envelope("client.created", "ent-1", 1000));
            accepted.complete(null);

            eventually(() -> assertThat(deliveries.handledSeqs()).contains(801L));
            List<Push> before = deliveries.handled().stream()
                    .takeWhile(push -> push.seq() != 801)
                    .toList();
            assertThat(before).filteredOn(Push::replay).hasSizeLessThan(700);
        }
    }

    @Test
    void aRetriedDeadLetterThatGoesOnFailingCanBeGivenUpAndDoesNotBlockItsLaneForEver() {
        broken.set(true);
        deliveries.behave(push -> {
            if (push.seq() > 1) {
                return Future.succeededFuture();
            }
            return Future.failedFuture(broken.get() ? new PermanentFailure("bad") : new IllegalStateException("bad"));
        });
        try (GatewayUnderTest gateway = start()) {
            push(gateway, envelopes("client.created", "ent-1", 1));
            eventually(
                    () -> assertThat(gateway.management("/api/v1/dead-letters").body())
                            .contains("\"seq\":1"));
            broken.set(false);
            manage(gateway, "/api/v1/dead-letters/retry", "{\"all\":true}");
            eventually(() -> assertThat(deliveries.attempts()).hasSizeGreaterThan(2));

            gateway.push(envelope("client.created", "ent-1", 2));
            JsonObject discarded =
                    manage(gateway, "/api/v1/dead-letters/discard", "{\"all\":true,\"reason\":\"hopeless\"}");

            assertThat(discarded.getLong("discarded")).isEqualTo(1);
            eventually(() -> assertThat(deliveries.handledSeqs()).contains(2L));
        }
    }

    @Test
    void aStoppedReplayBlocksNoLane() {
        try (GatewayUnderTest gateway = start()) {
            push(gateway, envelopes("client.created", "ent-1", 3));
            eventually(() -> assertThat(deliveries.handled()).hasSize(3));
            deliveries.behave(
                    push -> push.replay() ? Future.failedFuture("seen that before") : Future.succeededFuture());
            String id = manage(gateway, "/api/v1/replays", "{\"from\":1}").getString("id");
            eventually(() -> assertThat(deliveries.attempts()).hasSizeGreaterThan(4));

            manage(gateway, "/api/v1/replays/" + id + "/stop", "{}");
            gateway.push(envelope("client.created", "ent-1", 1000));

            eventually(() -> assertThat(deliveries.handledSeqs()).contains(4L));
        }
    }

    @Test
    void aConsumerThatIsRestartedBringsNoOtherConsumerItsReplayAgain() {
        deliveries.behave(this::failStuck);
        GatewaySettings both =
                new GatewaySettings().consumer("mine", "*", deliveries).consumer("yours", "*", others);
        GatewaySettings changed = new GatewaySettings()
                .consumer("mine", "*", deliveries, "concurrency: 3")
                .consumer("yours", "*", others);
        try (GatewayUnderTest gateway = GatewayUnderTest.start(both, directory)) {
            push(gateway, envelopes("client.created", "stuck", 300));
            eventually(() -> assertThat(deliveries.handled()).hasSize(300));
            eventually(() -> assertThat(others.handled()).hasSize(300));
            broken.set(true);
            manage(gateway, "/api/v1/replays", "{\"from\":1,\"rate\":100000}");
            eventually(() -> assertThat(replayed(others, "stuck")).hasSize(300));

            gateway.reconfigure(changed, directory);
            broken.set(false);
            eventually(() -> assertThat(running(gateway)).isEmpty());

            assertThat(replayed(others, "stuck")).hasSize(300).isSorted();
        }
    }

    @Test
    void aDeadLetterThatACrashCameBehindStaysOneAndItsPushComesWithItsRetry() {
        broken.set(true);
        deliveries.behave(push -> {
            if (!broken.get()) {
                return Future.succeededFuture();
            }
            return Future.failedFuture(
                    push.seq() == 1 ? new IllegalStateException("not yet") : new PermanentFailure("no"));
        });
        GatewaySettings settings = new GatewaySettings().consumer("mine", "*", deliveries);
        HeldStorage<TrialJournal> storage = HeldStorage.trial();
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings, directory, storage)) {
            gateway.push(envelope("client.created", "stuck", 1));
            gateway.push(envelope("client.created", "other", 2));
            eventually(
                    () -> assertThat(gateway.management("/api/v1/dead-letters").body())
                            .contains("\"seq\":2"));
            storage.journal().die();
        }
        broken.set(false);
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings, directory, storage)) {
            eventually(() -> assertThat(deliveries.handledSeqs()).containsExactly(1L));
            assertThat(gateway.management("/api/v1/dead-letters").body()).contains("\"seq\":2");
            gateway.manage("/api/v1/dead-letters/retry", "{\"all\":true}");
            eventually(() -> assertThat(deliveries.handledSeqs()).containsExactly(1L, 2L));
            eventually(
                    () -> assertThat(gateway.management("/api/v1/dead-letters").body())
                            .doesNotContain("\"seq\":2"));
        }
    }

    @Test
    void noMoreReplaysBeginThanMayBeOnTheirWayHoweverFastTheyAreAskedFor() {
        deliveries.behave(push -> Future.failedFuture("not yet"));
        try (GatewayUnderTest gateway =
                GatewayUnderTest.start(new GatewaySettings().consumer("mine", "*", deliveries), directory)) {
            push(gateway, envelopes("client.created", "ent-1", 1));
            List<RawConnection> connections = new ArrayList<>();
            for (int i = 0; i < 60; i++) {
                connections.add(new RawConnection(gateway.gateway().managementPort()));
            }
            String body = "{\"all\":true}";
            connections.forEach(one -> one.send("POST /api/v1/replays HTTP/1.1\r\nHost: localhost\r\n"
                    + "Content-Type: application/json\r\nContent-Length: "
                    + body.getBytes(StandardCharsets.UTF_8).length + "\r\n\r\n" + body));
            long begun = connections.stream()
                    .filter(one -> one.answer().status() == 200)
                    .count();
            connections.forEach(RawConnection::close);

            assertThat(begun).isEqualTo(8);
        }
    }
}
