package dev.holdfast.delivery;

import static dev.holdfast.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.config.RetryConfig;
import dev.holdfast.journal.Journal;
import dev.holdfast.journal.JournalException;
import dev.holdfast.journal.TrialJournal;
import dev.holdfast.store.BlockedPush;
import dev.holdfast.store.BlockedPush.RetryState;
import dev.holdfast.store.Checkpoint;
import dev.holdfast.store.DeadLetter.Failure;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LanesTest {
    private static final String LANE = "lane";
    private static final int PAGES = 20;

    @TempDir
    Path directory;

    private final Vertx vertx = Vertx.vertx();
    private TrialJournal journal;
    private DeliveryContext delivery;
    private Checkpoints checkpoints;
    private Lanes lanes;

    @BeforeEach
    void open() {
        journal = TrialJournal.open(directory, new SimpleMeterRegistry());
        delivery = TrialContext.of(vertx, journal);
        Resumption start = new Resumption("one", 10, List.of(), Set.of());
        checkpoints = new Checkpoints(start, delivery, Limits.STANDARD, () -> {});
        lanes = new Lanes(Limits.STANDARD, checkpoints, new LaneScheduler(vertx, () -> {}), false);
    }

    @AfterEach
    void close() {
        vertx.close().await();
        journal.close();
    }

    private static LaneEntry entry(long seq) {
        return new LaneEntry(
                new BlockedPush.Key(LANE, seq),
                new PlannedPush(1, "client.created", 0, PlannedPush.Fate.GOOD, 0).record(seq),
                null);
    }

    private static BlockedPush failed(long seq, int attempts) {
        return new BlockedPush(
                new BlockedPush.Key(LANE, seq),
                new RetryState(attempts, attempts, new Failure(1_000, "first"), new Failure(2_000, "last"), 0));
    }

    @Test
    void aLaneThatBacksOffWithReferencesAloneHasNoFailureToTell() {
        LaneScheduler scheduler = new LaneScheduler(vertx, () -> {});
        Lane lane = new Lane(LANE);
        lane.addReference(7);
        lane.becomes(Lane.State.READY);
        lane.becomes(Lane.State.IN_FLIGHT);
        scheduler.backOff(lane, 60_000);

        assertThat(scheduler.backingOff()).isEqualTo(1);
        assertThat(scheduler.anyFailure()).isNull();
    }

    @Test
    void aLaneThatWasHeldBackIsReadyOnceItIsWokenAndIsNotWokenAgain() {
        LaneScheduler scheduler = new LaneScheduler(vertx, () -> {});
        Lane lane = new Lane(LANE);
        scheduler.ready(lane);
        scheduler.hold(scheduler.next(false));
        assertThat(scheduler.isEmpty()).isTrue();

        scheduler.wakeHeld();

        assertThat(scheduler.next(false)).isSameAs(lane);
        scheduler.wakeHeld();
        assertThat(scheduler.isEmpty()).isTrue();
    }

    @Test
    void aLaneWhosePushHasFailedGetsATurnWhileOthersAreReady() {
        LaneScheduler scheduler = new LaneScheduler(vertx, () -> {});
        Lane failed = new Lane(LANE);
        failed.restore(failed(7, 1), 7);
        scheduler.ready(failed);
        for (int i = 0; i < PAGES; i++) {
            scheduler.ready(new Lane("fresh " + i));
        }

        List<Lane> turns =
                Stream.generate(() -> scheduler.next(false)).limit(PAGES / 2).toList();

        assertThat(turns).contains(failed);
    }

    /** A turn that ends at once asks for more in the midst of what was read. */
    @Test
    void aPageIsReadOnceThoughMoreIsAskedForWhileItIsTaken() {
        for (int i = 1; i <= PAGES; i++) {
            CompletableFuture<Long> stored = new CompletableFuture<>();
            journal.append(entry(i).push(), new Stored(stored));
            stored.join();
        }
        RetryConfig retry = new RetryConfig(Duration.ofMillis(1), 1, Duration.ofMillis(1), 0, null, null);
        AtomicReference<@Nullable LiveFeed> feed = new AtomicReference<>();
        Runnable asks = () -> Objects.requireNonNull(feed.get()).advanced();
        Limits pages = new Limits(64, 1024, 16, 64, 8, 1, 4, 64, 10);
        feed.set(new LiveFeed(
                new Resumption("one", 0, List.of(), Set.of()),
                pages,
                new FeedContext(
                        delivery,
                        new LaneKeys(List.of()),
                        event -> true,
                        new CircuitBreaker("one", retry, vertx, asks),
                        asks)));

        delivery.context().runOnContext(v -> Objects.requireNonNull(feed.get()).tick(PAGES));

        eventually(() -> assertThat(
                        Objects.requireNonNull(feed.get()).checkpoints().front())
                .isEqualTo(PAGES));
        assertThat(journal.reads()).isEqualTo(PAGES);
    }

    private record Stored(CompletableFuture<Long> seq) implements Journal.Outcome {
        @Override
        public void stored(long stored, boolean duplicate) {
            seq.complete(stored);
        }

        @Override
        public void failed(JournalException cause) {
            seq.completeExceptionally(cause);
        }
    }

    @Test
    void aRestoredPushThatFailedAndWasEvictedBeforeTheSourceCameToItKeepsItsAttempts() {
        lanes.restore(new Resumption.BlockedLane(failed(50, 3), 50));
        Lane lane = Objects.requireNonNull(lanes.get(LANE));
        LaneEntry found = new LaneEntry(
                failed(50, 3).key(), entry(50).push(), failed(50, 3).retry());
        lanes.loaded(lane, new SourcePages.Page(List.of(found), List.of(), 50));
        lanes.failed(lane, Objects.requireNonNull(failed(50, 4).retry()));
        lanes.take(entry(45));
        lanes.overflow();

        lanes.take(entry(50));

        assertThat(checkpoints.unsaved(LANE, 50)).containsExactly(failed(50, 4));
    }

    @Test
    void aPushBehindARestoredOneKeepsItsAttemptsWhenTheSourceComesToIt() {
        BlockedPush second = failed(55, 4);
        journal.positions()
                .save(new Checkpoint("one", 10, List.of(failed(50, 3), second), List.of()))
                .toCompletableFuture()
                .join();
        lanes.restore(new Resumption.BlockedLane(failed(50, 3), 55));

        lanes.take(entry(50));
        lanes.take(entry(55));

        checkpoints.finish().await();
        assertThat(journal.blockedPushes().at("one", 55)).contains(second);
    }

    /** As where there is no memory for it: one without a push fails as well. */
    @Test
    @SuppressWarnings("NullAway") // what is no push is the point
    void aPushThatCanNotBeTakenInHoldsThePosition() {
        LaneEntry none = new LaneEntry(entry(11).key(), null, null);

        assertThatThrownBy(() -> lanes.take(none)).isInstanceOf(NullPointerException.class);

        assertThat(checkpoints.front()).isEqualTo(10);
        assertThat(checkpoints.position()).isEqualTo(10);
    }

    /** As where there is no memory for it: one without a lane fails as well. */
    @Test
    @SuppressWarnings("NullAway") // what is no push is the point
    void aPushThatCanNotBeNotedHoldsThePosition() {
        BlockedPush.Key none = new BlockedPush.Key(null, 11);
        checkpoints.opened(none);
        checkpoints.reached(11);

        assertThatThrownBy(() -> checkpoints.note(none)).isInstanceOf(NullPointerException.class);

        assertThat(checkpoints.position()).isEqualTo(10);
    }

    /** What waits for a checkpoint takes memory, for as long as the store can keep none. */
    @Test
    void withTooMuchToBeNotedNothingMoreIsTaken() {
        for (int seq = 1; seq < Limits.STANDARD.unsaved(); seq++) {
            checkpoints.note(entry(10 + seq).key());
        }
        assertThat(lanes.hasRoom()).isTrue();
        assertThat(lanes.hasRoomToRead()).isTrue();

        checkpoints.note(entry(9).key());

        assertThat(lanes.hasRoom()).isFalse();
        assertThat(lanes.hasRoomToRead()).isFalse();
    }

    /** Beside so many that wait for their next attempt, what comes in is read later. */
    @Test
    void withTooManyLanesThatFailedNothingMoreIsTaken() {
        Limits one = new Limits(64, 1, 16, 64, 8, 2, 4, 64, 10);
        Lanes crowded = new Lanes(one, checkpoints, new LaneScheduler(vertx, () -> {}), false);
        assertThat(crowded.hasRoom()).isTrue();

        crowded.restore(new Resumption.BlockedLane(failed(50, 1), 50));

        assertThat(crowded.hasRoom()).isFalse();
        assertThat(crowded.hasRoomToRead()).isFalse();
    }

    @Test
    void thePositionMovesOnPastALaneThatFailed() {
        LongStream.rangeClosed(11, 13).forEach(seq -> lanes.take(entry(seq)));
        Lane lane = Objects.requireNonNull(lanes.get(LANE));
        lanes.begun(lane);

        lanes.failed(lane, Objects.requireNonNull(failed(11, 1).retry()));

        assertThat(checkpoints.position()).isEqualTo(13);
    }

    /** As many as are looked up at once, of which the store has some and others wait to be noted there. */
    @Test
    void ofTheReferencesOfALaneNoneIsPassedOver() {
        List<BlockedPush> noted = new ArrayList<>();
        for (int seq = 1; seq <= 9; seq++) {
            CompletableFuture<Long> stored = new CompletableFuture<>();
            journal.append(entry(seq).push(), new Stored(stored));
            noted.add(new BlockedPush(entry(stored.join()).key(), null));
        }
        journal.positions()
                .save(new Checkpoint("one", 9, noted.subList(0, 7), List.of()))
                .toCompletableFuture()
                .join();
        SourcePages pages = new SourcePages(journal, push -> true, new LaneKeys(List.of()), Limits.STANDARD);

        List<Long> found = new ArrayList<>();
        for (int from = 1; from <= 9; ) {
            List<BlockedPush> saved = journal.blockedPushes().ofLane("one", LANE, from, 2);
            List<BlockedPush> unsaved = noted.subList(Math.max(from, 8) - 1, 9);
            SourcePages.Page page = pages.references(saved, unsaved, 9, 2);
            page.entries().forEach(entry -> found.add(entry.seq()));
            from = (int) page.upTo() + 1;
        }

        assertThat(found).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L);
    }

    @Test
    void whatIsNotedAnewKeepsWhatTheStoreKnowsOfIt() {
        CompletableFuture<Long> stored = new CompletableFuture<>();
        journal.append(entry(1).push(), new Stored(stored));
        long seq = stored.join();
        SourcePages pages = new SourcePages(journal, push -> true, new LaneKeys(List.of()), Limits.STANDARD);

        SourcePages.Page page = pages.references(
                List.of(failed(seq, 3)), List.of(new BlockedPush(entry(seq).key(), null)), seq, 2);

        assertThat(page.entries())
                .extracting(LaneEntry::retry)
                .containsExactly(failed(seq, 3).retry());
    }

    @Test
    void whatChangesWhileACheckpointFailsGoesWithTheNextOne() {
        journal.holdCursors();
        checkpoints.note(failed(11, 1));
        checkpoints.save();
        checkpoints.note(entry(11).key());
        assertThat(checkpoints.unsaved(LANE, 11)).containsExactly(failed(11, 1));
        checkpoints.note(failed(11, 2));
        assertThat(checkpoints.unsaved(LANE, 11)).containsExactly(failed(11, 2));

        Promise<Void> kept = Promise.promise();
        delivery.context().runOnContext(v -> {
            journal.dieAfter(0);
            journal.keepAgain();
            journal.dieAfter(Integer.MAX_VALUE);
            checkpoints.finish().onComplete(kept);
        });

        kept.future().await();
        assertThat(journal.blockedPushes().at("one", 11)).contains(failed(11, 2));
    }

    /** It comes again after a crash like all that was handled since the last one. */
    @Test
    void whatIsHandledWhileACheckpointIsMadeIsNotInIt() {
        CompletableFuture<Boolean> late = new CompletableFuture<>();
        AtomicReference<@Nullable Checkpoints> made = new AtomicReference<>();
        Checkpoints few = new Checkpoints(
                new Resumption("one", 10, List.of(), Set.of()),
                delivery,
                new Limits(64, 1024, 16, 4, 64, 2, 4, 64, 10),
                () -> late.complete(Objects.requireNonNull(made.get()).isLate()));
        made.set(few);
        LongStream.rangeClosed(11, 16).forEach(seq -> few.opened(entry(seq).key()));
        few.reached(16);
        journal.holdCursors();
        few.done(entry(11).key());
        few.save();
        LongStream.rangeClosed(12, 15).forEach(seq -> few.done(entry(seq).key()));

        delivery.context().runOnContext(v -> journal.keepAgain());

        assertThat(late.join()).isTrue();
        assertThat(few.durable()).isEqualTo(11);
    }

    /** A replay's pushes of that lane are not to go before those. */
    @Test
    void whatComesBeforeARestoredPushAndWasNotReadYetIsUndone() {
        lanes.restore(new Resumption.BlockedLane(failed(50, 1), 50));

        assertThat(lanes.undoneFrom(LANE)).isEqualTo(11);
    }
}
