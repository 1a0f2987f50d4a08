package dev.holdfast.delivery;

import static dev.holdfast.Eventually.eventually;
import static dev.holdfast.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.holdfast.LogLines;
import dev.holdfast.config.ConsumerConfig;
import dev.holdfast.config.RetryConfig;
import dev.holdfast.journal.Backlogs.Backlog;
import dev.holdfast.push.Push;
import dev.holdfast.push.PushFilter;
import dev.holdfast.push.PushRecord;
import dev.holdfast.store.LedgerCount;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a consumer has not had is given up for it: it goes on behind that, and what it missed is counted. */
@Timeout(90)
class HoldTest {
    private static final Limits LIMITS = new Limits(64, 1024, 16, 64, 8, 8, 4, 64, 20);
    private static final RetryConfig SELDOM =
            new RetryConfig(Duration.ofMinutes(10), 1, Duration.ofMinutes(10), 0, null, null);
    private static final RetryConfig OFTEN =
            new RetryConfig(Duration.ofMillis(5), 1, Duration.ofMillis(5), 0, null, null);

    @TempDir
    Path directory;

    private final List<Long> handled = new CopyOnWriteArrayList<>();
    /** Whether whoever is given to handle by {@link #handle} fails everything. */
    private volatile boolean broken = true;

    private Future<?> handle(Push push) {
        if (broken) {
            return Future.failedFuture("down");
        }
        handled.add(push.seq());
        return Future.succeededFuture();
    }

    private static ConsumerConfig consumer(String name, String events, RetryConfig retry) {
        return Life.consumer(name, ConsumerConfig.Start.EARLIEST, 4, retry, events);
    }

    private static List<PushRecord> pushes(long from, long to, String event) {
        List<PushRecord> pushes = new ArrayList<>();
        for (long seq = from; seq <= to; seq++) {
            pushes.add(new PlannedPush((int) (seq % 5), event, 0, PlannedPush.Fate.GOOD, 0).record(seq));
        }
        return pushes;
    }

    private static void giveUp(Life life, long below) throws Exception {
        life.delivery().giveUp(below).toCompletableFuture().get(40, TimeUnit.SECONDS);
    }

    private static List<LedgerCount> counts(Life life) {
        return life.journal().ledger().counts(LocalDate.EPOCH, LocalDate.of(3000, 1, 1), 100).stream()
                .filter(count -> count.cause().endsWith("given-up"))
                .toList();
    }

    private static List<String> ledger(Life life) {
        return counts(life).stream().map(HoldTest::shown).toList();
    }

    private static String shown(LedgerCount count) {
        return count.cause() + " " + count.consumer() + " " + count.event() + " " + count.count() + ": "
                + count.firstSeq() + " to " + count.lastSeq();
    }

    @Test
    void aConsumerThatFailsEverythingGoesOnBehindWhatIsGivenUpAndMissesNothingElse() throws Exception {
        Life life = new Life(directory, LIMITS);
        life.add(consumer("dead", "client.*", OFTEN), (push, vertx) -> handle(push));
        life.send(pushes(1, 10, "client.created"));
        life.send(pushes(11, 20, "client.deleted"));
        life.send(pushes(21, 30, "conversation.created"));
        eventually(
                () -> assertThat(life.delivery().views().states().await().get(0).lastFailure())
                        .isNotNull());
        assertThat(life.delivery().backlogs()).containsExactly(new Backlog("consumer dead", 1, Duration.ofDays(14)));

        try (LogLines lines = LogLines.atWarn()) {
            giveUp(life, 16);
            assertThat(lines.text())
                    .contains("ERROR")
                    .contains("dead: 15 pushes from 1 to 15 given up because the disk is full");
        }

        assertThat(ledger(life))
                .containsExactly(
                        "given-up dead client.created 10: 1 to 10", "given-up dead client.deleted 5: 11 to 15");
        assertThat(life.delivery().neededFrom()).isEqualTo(16);
        broken = false;
        eventually(() -> assertThat(handled).containsExactlyInAnyOrder(16L, 17L, 18L, 19L, 20L));
        eventually(() -> assertThat(life.delivery().neededFrom()).isEqualTo(31));
        life.stop();
    }

    @Test
    void aBlockedLaneIsGivenUpSoFarAndTheOthersDontNotice() throws Exception {
        List<Long> handled = new CopyOnWriteArrayList<>();
        boolean[] poisoned = {true};
        Life life = new Life(directory, LIMITS);
        life.add(consumer("one", "*", OFTEN), (push, vertx) -> {
            if (poisoned[0] && push.enterpriseToken().equals("e3")) {
                return Future.failedFuture("poison");
            }
            handled.add(push.seq());
            return Future.succeededFuture();
        });
        life.send(pushes(1, 400, "client.created"));
        eventually(() -> assertThat(handled).hasSize(320));
        assertThat(life.delivery().neededFrom()).isEqualTo(3);

        giveUp(life, 201);

        assertThat(ledger(life)).containsExactly("given-up one client.created 40: 3 to 198");
        assertThat(life.delivery().neededFrom()).isEqualTo(203);
        assertThat(life.journal().blockedPushes().neededFrom("one")).isEqualTo(203);
        poisoned[0] = false;
        eventually(() -> assertThat(life.delivery().neededFrom()).isEqualTo(401));
        assertThat(handled.stream().filter(seq -> seq % 5 == 3).distinct().toList())
                .as("the lane, in its order")
                .hasSize(40)
                .isSorted()
                .allMatch(seq -> seq > 200);
        life.stop();
    }

    @Test
    void aConsumerThatIsPausedOrCouldNotStartIsGivenUpForAsWell() throws Exception {
        Life life = new Life(directory, LIMITS);
        life.delivery().consumers().reserve(consumer("absent", "*", OFTEN)).await();
        life.add(consumer("paused", "*", OFTEN), (push, vertx) -> Future.failedFuture("down"));
        life.delivery().consumers().takeOut("paused").await();
        life.send(pushes(1, 20, "client.created"));

        giveUp(life, 11);

        assertThat(ledger(life))
                .containsExactly(
                        "given-up absent client.created 10: 1 to 10", "given-up paused client.created 10: 1 to 10");
        assertThat(life.delivery().neededFrom()).isEqualTo(11);
        assertThat(life.journal().positions().all()).isEqualTo(Map.of("absent", 10L, "paused", 10L));
        assertThat(life.delivery().consumers().there()).isEmpty();
        life.stop();
    }

    @Test
    void afterACrashInBetweenEachGoesOnWhereItWasAndNothingIsCountedTwice() throws Exception {
        Life first = new Life(directory, LIMITS);
        first.delivery().consumers().reserve(consumer("a", "*", OFTEN)).await();
        first.delivery().consumers().reserve(consumer("b", "*", OFTEN)).await();
        first.send(pushes(1, 20, "client.created"));
        first.journal().dieAfter(1);
        assertThat(catchThrowable(() -> giveUp(first, 11))).isNotNull();
        List<String> before = ledger(first);
        assertThat(before).hasSize(1);
        until(() -> ledger(first).equals(before));
        first.crash();

        Life second = new Life(directory, LIMITS);
        assertThat(ledger(second)).isEqualTo(before);
        second.delivery().consumers().reserve(consumer("a", "*", OFTEN)).await();
        second.delivery().consumers().reserve(consumer("b", "*", OFTEN)).await();
        assertThat(second.delivery().neededFrom()).isEqualTo(1);
        giveUp(second, 11);

        assertThat(ledger(second))
                .containsExactly("given-up a client.created 10: 1 to 10", "given-up b client.created 10: 1 to 10");
        assertThat(second.delivery().neededFrom()).isEqualTo(11);
        giveUp(second, 11);
        assertThat(ledger(second)).hasSize(2).allMatch(line -> line.contains(" 10: 1 to 10"));
        second.stop();
    }

    @Test
    void whenItCanNotBeKeptTheConsumerGoesOnWithAllOfIt() throws Exception {
        Life life = new Life(directory, LIMITS);
        life.add(consumer("one", "*", OFTEN), (push, vertx) -> handle(push));
        life.send(pushes(1, 5, "client.created"));
        life.journal().die();
        assertThat(catchThrowable(() -> giveUp(life, 4))).isNotNull();
        assertThat(ledger(life)).isEmpty();
        assertThat(life.delivery().neededFrom()).isEqualTo(1);

        life.journal().dieAfter(Integer.MAX_VALUE);
        broken = false;
        eventually(() -> assertThat(Set.copyOf(handled)).isEqualTo(Set.of(1L, 2L, 3L, 4L, 5L)));
        life.stop();
    }

    @Test
    void aCallThatNeverComesBackHoldsNothingUp() throws Exception {
        List<Long> attempted = new CopyOnWriteArrayList<>();
        Promise<Void> never = Promise.promise();
        Life life = new Life(directory, LIMITS);
        life.add(consumer("one", "*", SELDOM), (push, vertx) -> {
            attempted.add(push.seq());
            return push.seq() <= 5 ? never.future() : Future.succeededFuture();
        });
        life.send(pushes(1, 20, "client.created"));
        until(() -> !attempted.isEmpty());

        giveUp(life, 11);

        assertThat(life.delivery().neededFrom()).isGreaterThanOrEqualTo(11);
        never.complete();
        eventually(() -> assertThat(attempted).contains(11L, 12L, 13L, 14L, 15L, 16L, 17L, 18L, 19L, 20L));
        eventually(() -> assertThat(life.delivery().neededFrom()).isEqualTo(21));
        life.stop();
    }

    @Test
    void aConsumerThatIsStartedAnewMeanwhileGoesOnBehindWhatIsGivenUp() throws Exception {
        Life life = new Life(directory, LIMITS);
        ConsumerConfig config = consumer("one", "*", OFTEN);
        life.add(config, (push, vertx) -> handle(push));
        life.send(pushes(1, 2_000, "client.created"));

        CompletableFuture<Void> givenUp = life.delivery().giveUp(1_501).toCompletableFuture();
        life.delivery().consumers().takeOut("one").await();
        life.deliver(config);
        givenUp.get(40, TimeUnit.SECONDS);

        assertThat(ledger(life)).containsExactly("given-up one client.created 1500: 1 to 1500");
        assertThat(life.delivery().neededFrom()).isEqualTo(1_501);
        broken = false;
        eventually(() -> assertThat(life.delivery().neededFrom()).isEqualTo(2_001));
        assertThat(handled).hasSize(500).allMatch(seq -> seq > 1_500);
        life.stop();
    }

    @Test
    void aConsumerThatIsPausedMeanwhileStaysSoAndGoesOnBehindWhatIsGivenUp() throws Exception {
        Life life = new Life(directory, LIMITS);
        life.add(consumer("one", "*", OFTEN), (push, vertx) -> handle(push));
        life.send(pushes(1, 20, "client.created"));

        CompletableFuture<Void> givenUp = life.delivery().giveUp(11).toCompletableFuture();
        life.delivery().consumers().pause("one").await();
        givenUp.get(40, TimeUnit.SECONDS);

        assertThat(life.delivery().neededFrom()).isEqualTo(11);
        broken = false;
        life.send(pushes(21, 30, "client.created"));
        assertThat(life.delivery().consumers().subscription("one")).isNull();
        assertThat(handled).isEmpty();
        life.delivery().consumers().resume("one").await();
        eventually(() -> assertThat(life.delivery().neededFrom()).isEqualTo(31));
        assertThat(handled).hasSize(20).allMatch(seq -> seq > 10);
        life.stop();
    }

    @Test
    void aConsumerThatIsBeingAddedLosesNothing() throws Exception {
        Set<Long> handled = new ConcurrentSkipListSet<>();
        Life life = new Life(directory, LIMITS);
        life.send(pushes(1, 50, "client.created"));
        ConsumerConfig config = consumer("new", "*", OFTEN);
        Future<Void> reserved = life.delivery().consumers().reserve(config);
        List<Backlog> unknown = life.delivery().backlogs();
        reserved.await();
        assertThat(unknown)
                .allMatch(backlog -> backlog.from() == 1 || backlog.hold().compareTo(Duration.ofDays(100_000)) > 0);
        life.add(config, (push, vertx) -> {
            handled.add(push.seq());
            return Future.succeededFuture();
        });
        eventually(() -> assertThat(handled).hasSize(50));
        life.stop();
    }

    @Test
    void whatIsAskedForWhileItIsUnderWayIsGivenUpOnce() throws Exception {
        Life life = new Life(directory, LIMITS);
        life.delivery().consumers().reserve(consumer("away", "*", OFTEN)).await();
        life.send(pushes(1, 20, "client.created"));
        life.journal().holdCursors();

        CompletableFuture<Void> first = life.delivery().giveUp(11).toCompletableFuture();
        until(() -> life.journal().waitingCursors() > 0);
        CompletableFuture<Void> second = life.delivery().giveUp(16).toCompletableFuture();
        life.journal().keepAgain();

        first.get(40, TimeUnit.SECONDS);
        second.get(40, TimeUnit.SECONDS);
        assertThat(life.delivery().neededFrom()).isEqualTo(16);
        assertThat(ledger(life)).containsExactly("given-up away client.created 15: 1 to 15");
        life.stop();
    }

    @Test
    void howeverLongItTakesTheOthersReadOn() throws Exception {
        Set<Long> replayed = new ConcurrentSkipListSet<>();
        Life life = new Life(directory, LIMITS);
        for (String name : List.of("absent", "away", "gone")) {
            life.delivery().consumers().reserve(consumer(name, "*", OFTEN)).await();
        }
        life.add(consumer("there", "*", OFTEN), (push, vertx) -> {
            if (push.replay()) {
                replayed.add(push.seq());
            }
            return Future.succeededFuture();
        });
        life.send(pushes(1, 10, "client.created"));
        eventually(() -> assertThat(life.delivery().backlogs())
                .contains(new Backlog("consumer there", 11, Duration.ofDays(14))));
        life.journal().holdCursors();

        CompletableFuture<Void> givenUp = life.delivery().giveUp(11).toCompletableFuture();
        until(() -> life.journal().waitingCursors() > 0);
        life.delivery().replays().start(PushFilter.ALL, Set.of("there"), 1000).await();

        eventually(() -> assertThat(replayed).hasSize(10));
        assertThat(givenUp).isNotDone();
        life.journal().keepAgain();
        givenUp.get(40, TimeUnit.SECONDS);
        assertThat(ledger(life)).hasSize(3);
        life.stop();
    }

    @Test
    void aReplayThatNeedsWhatIsGivenUpEndsAndWhatItMissesIsCounted() throws Exception {
        Life life = new Life(directory, LIMITS);
        life.add(consumer("one", "*", OFTEN), (push, vertx) -> Future.succeededFuture());
        life.send(pushes(1, 100, "client.created"));
        eventually(() -> assertThat(life.delivery().neededFrom()).isEqualTo(101));
        life.replay(1).await();
        assertThat(life.delivery().backlogs()).hasSize(2).anySatisfy(backlog -> {
            assertThat(backlog.name()).startsWith("replay ");
            assertThat(backlog.from()).isEqualTo(1);
            assertThat(backlog.hold()).isEqualTo(Duration.ofDays(14));
        });

        giveUp(life, 51);

        assertThat(life.delivery().neededFrom()).isEqualTo(101);
        assertThat(life.delivery().replays().states().await())
                .singleElement()
                .asString()
                .contains("STOPPED");
        assertThat(ledger(life))
                .singleElement()
                .asString()
                .startsWith("replay-given-up one client.created ")
                .endsWith(" to 50");
        life.stop();
    }

    /** Whatever is under way while it happens: each push is handled, or counted and within the positions that are told. */
    @Test
    void noPushVanishesWithoutBeingCounted() throws Exception {
        Set<Long> handled = new ConcurrentSkipListSet<>();
        Random random = new Random(4711);
        Life life = new Life(directory, LIMITS);
        life.add(consumer("one", "*", OFTEN), (push, vertx) -> {
            int fate = (int) ((push.seq() * 31 + push.attempt()) % 7);
            Future<Void> later = fate == 3 ? vertx.timer(3).mapEmpty() : Future.succeededFuture();
            return later.compose(v -> {
                if (fate < 3) {
                    return Future.failedFuture("again");
                }
                handled.add(push.seq());
                return Future.succeededFuture();
            });
        });
        long sent = 0;
        for (int round = 0; round < 40; round++) {
            life.send(pushes(sent + 1, sent + 50, "client.created"));
            sent += 50;
            long below = Math.max(1, sent - random.nextInt(80));
            giveUp(life, below);
            assertThat(life.delivery().neededFrom()).isGreaterThanOrEqualTo(below);
            life.journal().removeBelow(Math.min(below, life.delivery().neededFrom()));
        }
        long all = sent;
        eventually(() -> assertThat(life.delivery().neededFrom()).isEqualTo(all + 1));

        long counted = counts(life).stream().mapToLong(LedgerCount::count).sum();
        assertThat(handled.size() + counted).as("handled or counted").isGreaterThanOrEqualTo(all);
        assertThat(counted)
                .as("what came back after it was given up may be both")
                .isLessThan(all);
        life.stop();
    }
}
