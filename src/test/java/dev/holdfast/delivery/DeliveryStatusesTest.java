package dev.holdfast.delivery;

import static dev.holdfast.Eventually.eventually;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.ConsumerConfig;
import dev.holdfast.config.RetryConfig;
import dev.holdfast.consumer.ConsumerState;
import dev.holdfast.push.PermanentFailure;
import dev.holdfast.push.Push;
import dev.holdfast.push.PushFilter;
import dev.holdfast.push.PushRecord;
import dev.holdfast.store.BlockedLanes;
import dev.holdfast.store.DeliveryStatus;
import dev.holdfast.store.DeliveryStatus.State;
import dev.holdfast.store.ReplayState;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** How it stands with a push at each consumer, and what pausing one does. */
@Timeout(60)
class DeliveryStatusesTest {
    private static final Limits LIMITS = new Limits(64, 1024, 16, 64, 8, 8, 4, 64, 20);
    /** Two pushes in memory: what else a blocked lane has is in the store only. */
    private static final Limits SMALL = new Limits(2, 1024, 16, 64, 8, 8, 4, 64, 20);

    private static final RetryConfig SELDOM =
            new RetryConfig(Duration.ofMinutes(10), 1, Duration.ofMinutes(10), 0, null, null);

    @TempDir
    Path directory;

    private @Nullable Life life;

    private final Set<Long> failing = ConcurrentHashMap.newKeySet();
    private final Set<Long> poison = ConcurrentHashMap.newKeySet();
    private final Map<Long, Promise<Void>> held = new ConcurrentHashMap<>();
    private final List<Long> handled = new CopyOnWriteArrayList<>();

    private Life life() {
        if (life == null) {
            life = new Life(directory, LIMITS);
        }
        return life;
    }

    private void restart(Limits limits) {
        life().stop();
        life = new Life(directory, limits);
    }

    @AfterEach
    void stop() {
        life().stop();
    }

    private static ConsumerConfig consumer(String name, ConsumerConfig.Start start, String... events) {
        return Life.consumer(name, start, 4, SELDOM, events);
    }

    private static final ConsumerConfig MINE = consumer("mine", ConsumerConfig.Start.EARLIEST, "client.*");

    private Future<?> handle(Push push, Vertx vertx) {
        if (poison.contains(push.seq())) {
            return Future.failedFuture(new PermanentFailure("can't be"));
        }
        if (failing.contains(push.seq())) {
            return Future.failedFuture("not now");
        }
        Promise<Void> answer = held.get(push.seq());
        return (answer == null ? Future.<Void>succeededFuture() : answer.future()).map(v -> handled.add(push.seq()));
    }

    /** One lane for each enterprise. */
    private void send(int enterprise, int count) {
        List<PushRecord> pushes = new ArrayList<>();
        long last = life().journal().lastSeq();
        for (int i = 1; i <= count; i++) {
            pushes.add(new PlannedPush(enterprise, "client.created", 0, PlannedPush.Fate.GOOD, 0).record(last + i));
        }
        life().send(pushes);
    }

    private DeliveryStatus status(String consumer, long seq) {
        PushRecord push = life().journal().get(seq).orElseThrow();
        return life().delivery().views().deliveries(push).await().stream()
                .filter(status -> status.consumer().equals(consumer))
                .findFirst()
                .orElseThrow();
    }

    private State state(long seq) {
        return status("mine", seq).state();
    }

    private void becomes(long seq, State state) {
        eventually(() -> assertThat(state(seq)).isEqualTo(state));
    }

    private BlockedLanes blockedLanes() {
        return life().delivery().views().lanes("mine").await();
    }

    private ConsumerState consumer(String name) {
        return life().delivery().views().states().await().stream()
                .filter(one -> one.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aPushIsUnderWayWhileTheConsumerHasItThenHandled() {
        held.put(1L, Promise.promise());
        life().add(MINE, this::handle);
        send(1, 1);

        becomes(1, State.UNDER_WAY);
        assertThat(status("mine", 1).lane()).isEqualTo("default / e1 / client");
        send(1, 1);
        becomes(2, State.WAITING);

        held.get(1L).complete();
        becomes(1, State.HANDLED);
        becomes(2, State.HANDLED);
        assertThat(status("mine", 2).lane()).isEqualTo("default / e1 / client");
    }

    @Test
    void oneThatFailedIsBlockedAndTheOthersOfItsLaneAreBehindIt() {
        failing.add(1L);
        life().add(MINE, this::handle);
        send(1, 1);
        becomes(1, State.BLOCKED);
        send(1, 2);
        send(2, 1);

        DeliveryStatus blocked = status("mine", 1);
        var failed = requireNonNull(blocked.failed());
        assertThat(failed.count()).isEqualTo(1);
        assertThat(failed.last().error()).contains("not now");
        assertThat(blocked.nextAttemptAt()).isGreaterThan(System.currentTimeMillis() + 500_000);
        becomes(3, State.BEHIND);
        assertThat(status("mine", 3).behind()).isEqualTo(1);
        becomes(4, State.HANDLED);
        eventually(() -> assertThat(consumer("mine").handled()).isEqualTo(4));
        assertThat(state(2)).isEqualTo(State.BEHIND);

        eventually(() -> assertThat(blockedLanes().lanes().get(0).waiting()).isEqualTo(3));
        BlockedLanes lanes = blockedLanes();
        assertThat(lanes.more()).isFalse();
        assertThat(lanes.lanes()).hasSize(1);
        assertThat(lanes.lanes().get(0).seq()).isEqualTo(1);
        assertThat(lanes.lanes().get(0).event()).isEqualTo("client.created");
    }

    @Test
    void whatIsOnlyInTheStoreIsFoundThere() {
        failing.add(1L);
        life().add(MINE, this::handle);
        send(1, 1);
        becomes(1, State.BLOCKED);
        send(1, 20);
        eventually(() -> assertThat(consumer("mine").handled()).isEqualTo(21));
        restart(SMALL);
        life().add(MINE, this::handle);

        becomes(1, State.BLOCKED);
        assertThat(state(20)).isEqualTo(State.BEHIND);
        assertThat(status("mine", 20).behind()).isEqualTo(1);
        assertThat(blockedLanes().lanes().get(0).waiting()).isEqualTo(21);
    }

    @Test
    void aDeadLetterIsDeadAndADiscardedOneSaysWhy() {
        poison.add(2L);
        life().add(MINE, this::handle);
        send(1, 3);

        becomes(2, State.DEAD);
        assertThat(requireNonNull(status("mine", 2).failed()).count()).isEqualTo(1);
        assertThat(requireNonNull(status("mine", 2).failed()).last().error()).contains("can't be");
        becomes(3, State.HANDLED);
        discard("mine", 2);
        assertThat(state(2)).isEqualTo(State.DISCARDED);
        assertThat(status("mine", 2).reason()).isEqualTo("a test");
    }

    @Test
    void aDeadLetterOfAReplayFromBeforeTheConsumersStartIsDiscardedToo() {
        poison.add(1L);
        send(1, 1);
        life().add(consumer("late", ConsumerConfig.Start.LATEST, "*"), this::handle);

        life().delivery().replays().start(PushFilter.ALL, Set.of("late"), 1_000).await();
        eventually(() -> assertThat(status("late", 1).state()).isEqualTo(State.DEAD));
        discard("late", 1);
        assertThat(status("late", 1).state()).isEqualTo(State.DISCARDED);
    }

    private void discard(String consumer, long seq) {
        life().journal()
                .deadLetters()
                .discard(consumer, seq, "a test")
                .toCompletableFuture()
                .join();
    }

    @Test
    void whoDoesNotWantItOrBeganLaterDoesNotHaveIt() {
        send(1, 2);
        life().add(consumer("late", ConsumerConfig.Start.LATEST, "*"), this::handle);
        life().add(consumer("other", ConsumerConfig.Start.EARLIEST, "conversation.*"), this::handle);
        send(1, 1);

        assertThat(status("late", 2).state()).isEqualTo(State.BEFORE_START);
        eventually(() -> assertThat(status("late", 3).state()).isEqualTo(State.HANDLED));
        assertThat(status("other", 1).state()).isEqualTo(State.NOT_SUBSCRIBED);
        restart(LIMITS);
        life().delivery()
                .consumers()
                .reserve(consumer("late", ConsumerConfig.Start.LATEST, "*"))
                .await();
        assertThat(status("late", 2).state()).isEqualTo(State.BEFORE_START);
        assertThat(status("late", 3).state()).isEqualTo(State.HANDLED);
    }

    @Test
    void ofAConsumerThatIsAwayWhatIsKeptTells() {
        failing.add(1L);
        life().add(MINE, this::handle);
        send(1, 1);
        becomes(1, State.BLOCKED);
        send(1, 1);
        send(2, 1);
        becomes(3, State.HANDLED);
        life().delivery().consumers().takeOut("mine").await();
        send(3, 1);

        assertThat(state(1)).isEqualTo(State.BLOCKED);
        assertThat(requireNonNull(status("mine", 1).failed()).count()).isEqualTo(1);
        assertThat(state(2)).isEqualTo(State.BEHIND);
        assertThat(status("mine", 2).behind()).isEqualTo(1);
        assertThat(state(3)).isEqualTo(State.HANDLED);
        assertThat(state(4)).isEqualTo(State.WAITING);
        assertThat(consumer("mine").phase()).isEqualTo(ConsumerState.Phase.STARTING);
        assertThat(consumer("mine").lag()).isEqualTo(4);
        assertThat(blockedLanes().lanes().get(0).waiting()).isEqualTo(2);
    }

    @Test
    void aPausedConsumerGetsNothingOverARestartAndThenAllOfIt() {
        held.put(1L, Promise.promise());
        life().add(MINE, this::handle);
        send(1, 1);
        becomes(1, State.UNDER_WAY);
        send(1, 1);

        assertThat(life().delivery().consumers().pause("mine").await()).isTrue();
        assertThat(consumer("mine").phase()).isEqualTo(ConsumerState.Phase.PAUSED);
        held.get(1L).complete();
        eventually(() -> assertThat(consumer("mine").handled()).isEqualTo(1));
        send(1, 2);
        life().replay(1_000).await();
        eventually(() -> assertThat(life().delivery().replays().states().await())
                .extracting(ReplayState::stage)
                .containsExactly(ReplayState.Stage.WAITING));
        restart(LIMITS);
        life().add(MINE, this::handle);
        send(1, 1);
        assertThat(consumer("mine").phase()).isEqualTo(ConsumerState.Phase.PAUSED);
        assertThat(consumer("mine").lag()).isEqualTo(4);
        assertThat(life().delivery().neededFrom()).isLessThanOrEqualTo(2);
        assertThat(state(5)).isEqualTo(State.WAITING);
        assertThat(status("mine", 5).reason()).isEqualTo("the consumer is paused");
        assertThat(handled).containsExactly(1L);

        assertThat(life().delivery().consumers().resume("mine").await()).isTrue();
        becomes(5, State.HANDLED);
        assertThat(consumer("mine").phase()).isEqualTo(ConsumerState.Phase.RUNNING);
        eventually(() -> assertThat(life().delivery().replays().states().await())
                .extracting(ReplayState::stage)
                .containsExactly(ReplayState.Stage.DONE));
        assertThat(handled).contains(1L, 2L, 3L, 4L, 5L);
        assertThat(life().delivery().consumers().pause("nobody").await()).isFalse();
    }

    @Test
    void aConsumerThatIsResumedWhileACallIsStillUnderWayGoesOnBehindIt() {
        held.put(1L, Promise.promise());
        life().add(MINE, this::handle);
        send(1, 3);
        becomes(1, State.UNDER_WAY);

        life().delivery().consumers().pause("mine").await();
        life().delivery().consumers().resume("mine").await();
        assertThat(consumer("mine").phase()).isEqualTo(ConsumerState.Phase.RUNNING);
        held.get(1L).complete();

        becomes(3, State.HANDLED);
        assertThat(handled).containsExactly(1L, 2L, 3L);
    }

    @Test
    void aConsumersAgeIsThatOfItsFirstPushWhichIsNotHandled() {
        held.put(1L, Promise.promise());
        life().add(MINE, this::handle);
        send(1, 1);
        becomes(1, State.UNDER_WAY);

        // The planned pushes were accepted in 1970.
        assertThat(consumer("mine").lagSeconds()).isGreaterThan(1_000_000_000);
        held.get(1L).complete();
        eventually(() -> assertThat(consumer("mine").lagSeconds()).isZero());
        assertThat(consumer("mine").lag()).isZero();
    }

    @Test
    void aPushThatCameLateMakesAConsumerNoOlderThanItsAcceptance() {
        held.put(1L, Promise.promise());
        life().add(MINE, this::handle);
        life().send(List.of(new PlannedPush(1, "client.created", 0, PlannedPush.Fate.GOOD, 0)
                .record(1)
                .lateAt(System.currentTimeMillis())));
        becomes(1, State.UNDER_WAY);

        assertThat(consumer("mine").lagSeconds()).isBetween(0.0, 3600.0);
        held.get(1L).complete();
    }
}
