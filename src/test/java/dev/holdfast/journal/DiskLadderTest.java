package dev.holdfast.journal;

import static dev.holdfast.journal.AppendResults.push;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Eventually;
import dev.holdfast.LogLines;
import dev.holdfast.SetClock;
import dev.holdfast.config.JournalConfig;
import dev.holdfast.disk.FreeSpace;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The ladder over a real journal in a directory that has a certain room: what others don't take of it and no file in it. Below 256
 * KiB something is done, below 64 KiB more; a segment has 16 KiB.
 */
class DiskLadderTest {
    private static final int KIB = 1 << 10;
    private static final long RESERVE = 256 * KIB;
    private static final long LOW = RESERVE / 4;
    private static final long MARGIN = RESERVE / 8;
    private static final long SEGMENT = 16 * KIB;
    private static final long SET_ASIDE = 64 * KIB;
    private static final long ROOM = 4_096 * KIB;

    @TempDir
    private Path directory;

    private LogUnderTest log;
    private LogJournal journal;
    private SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private DiskLadder ladder;
    /** Bytes that files elsewhere on the disk take. */
    private final AtomicLong others = new AtomicLong();

    private final SetClock clock = new SetClock(Instant.ofEpochSecond(1_000));
    private final List<Backlogs.Backlog> backlogs = new ArrayList<>();
    private boolean givingUpFails;
    private final List<Long> givenUpBelow = new ArrayList<>();

    /** Consumers that do as they are told. */
    private final Backlogs consumers = new Backlogs() {
        @Override
        public List<Backlog> backlogs() {
            return List.copyOf(backlogs);
        }

        @Override
        public CompletionStage<Void> giveUp(long below) {
            if (givingUpFails) {
                return CompletableFuture.failedFuture(new IllegalStateException("the store is away"));
            }
            givenUpBelow.add(below);
            backlogs.replaceAll(
                    backlog -> new Backlog(backlog.name(), Math.max(backlog.from(), below), backlog.hold()));
            return CompletableFuture.completedFuture(null);
        }
    };

    @BeforeEach
    void open() {
        log = new LogUnderTest(directory).withSegmentsOf(SEGMENT);
        journal = log.open();
        ladder = ladder(RESERVE, SET_ASIDE);
    }

    @AfterEach
    void close() {
        ladder.close();
        journal.close();
    }

    private DiskLadder ladder(long reserve, long setAside) {
        registry = new SimpleMeterRegistry();
        JournalConfig config =
                new JournalConfig(directory, Duration.ofDays(7), 1L << 40, reserve, setAside, Duration.ofSeconds(10));
        return new DiskLadder(journal, config, consumers, registry, clock, this::free);
    }

    private long free() {
        try (Stream<Path> files = Files.list(directory)) {
            return ROOM
                    - others.get()
                    - files.mapToLong(file -> file.toFile().length()).sum();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Others take so much that this is left. */
    private void leave(long bytes) {
        others.addAndGet(free() - bytes);
    }

    /** So many segments, of pushes that were accepted a second after one another, the last one a second ago. */
    private void fill(int segments) {
        AppendResults answers = new AppendResults(journal);
        String filler = "x".repeat(KIB);
        for (int i = 0; journal.extents().size() <= segments; i++) {
            answers.store(push("default", "sub_t_1", i + filler, clock.millis()));
            clock.advance(Duration.ofSeconds(1));
        }
    }

    private void look(int times) {
        for (int i = 0; i < times; i++) {
            ladder.look();
        }
    }

    /** Others take all that is left, and then what the second step gives up as well. */
    private void fillTheDiskTwice() {
        look(1);
        leave(0);
        look(1);
        leave(0);
    }

    private void needed(String consumer, long from, Duration hold) {
        backlogs.add(new Backlogs.Backlog("consumer " + consumer, from, hold));
    }

    private double step() {
        return registry.get("holdfast.disk.step").gauge().value();
    }

    private double reached(int step) {
        return registry.get("holdfast.disk.steps")
                .tag("step", Integer.toString(step))
                .counter()
                .count();
    }

    /** What others left behind may log as well. */
    private List<String> told(LogLines lines) {
        return lines.lines().stream()
                .filter(line -> line.contains(directory.toString()))
                .toList();
    }

    private Path setAside() {
        return directory.resolve("set-aside");
    }

    @Test
    void withEnoughRoomSpaceIsSetAsideAndNothingElseIsDone() {
        fill(10);
        look(3);

        assertThat(setAside()).hasSize(SET_ASIDE);
        assertThat(journal.firstSeq()).isEqualTo(1);
        assertThat(ladder.hasSpace()).isTrue();
        assertThat(ladder.notice()).isEmpty();
        assertThat(registry.get("holdfast.disk.set.aside").gauge().value()).isEqualTo((double) SET_ASIDE);
    }

    @Test
    void belowTheReserveWhatEveryConsumerHasHadGoesEarlyAndNoMoreThanMustGo() {
        fill(20);
        look(1);
        leave(RESERVE - 1);
        assertThat(ladder.hasSpace()).isFalse();

        try (LogLines lines = LogLines.atInfo()) {
            look(1);
            assertThat(lines.text())
                    .contains("WARN")
                    .contains("that every consumer has had were removed early; make room, or lower journal.max-size");
        }

        assertThat(free()).isBetween(RESERVE + MARGIN, RESERVE + MARGIN + 2 * SEGMENT);
        assertThat(ladder.hasSpace()).isTrue();
        assertThat(setAside()).hasSize(SET_ASIDE);
        assertThat(reached(1)).isEqualTo(1);
        assertThat(reached(2)).isZero();
        assertThat(registry.get("holdfast.disk.removed.early").counter().count())
                .isGreaterThan(2 * SEGMENT);
    }

    @Test
    void theFirstStepTakesNothingThatAConsumerNeedsHoweverOld() {
        fill(20);
        needed("dead", 40, Duration.ofMillis(1));
        look(1);
        leave(LOW + 1);

        try (LogLines lines = LogLines.atWarn()) {
            look(5);
            assertThat(told(lines))
                    .singleElement()
                    .asString()
                    .contains("step 1 of 4 on a disk that fills: found 0MiB free in " + directory
                            + ", expected 256KiB (journal.reserve)")
                    .contains("readiness is red, pushes are accepted: make room");
        }
        assertThat(journal.firstSeq()).isBetween(20L, 40L);
        assertThat(journal.get(40)).isPresent();
        assertThat(step()).isEqualTo(1);
        assertThat(ladder.hasSpace()).isFalse();
        assertThat(ladder.notice()).startsWith("step 1 of 4");
        assertThat(setAside()).exists();
        assertThat(givenUpBelow).isEmpty();
    }

    @Test
    void belowAQuarterWhatIsSetAsideIsGivenUp() {
        fill(5);
        needed("dead", 1, Duration.ofMillis(1));
        look(1);
        leave(LOW - 1);

        try (LogLines lines = LogLines.atWarn()) {
            look(4);
            assertThat(told(lines)).hasSize(2);
            assertThat(told(lines).get(0)).contains("step 1 of 4");
            assertThat(told(lines).get(1)).contains("step 2 of 4");
        }
        assertThat(setAside()).doesNotExist();
        assertThat(free()).isGreaterThan(LOW);
        assertThat(step()).isEqualTo(2);
        assertThat(ladder.notice()).contains("what was set aside is given up: make room now");
        assertThat(journal.firstSeq()).isEqualTo(1);
        assertThat(givenUpBelow).isEmpty();
    }

    @Test
    void whatIsSetAsideGoesBeforeAnyPushAlsoWhereTheDiskFillsSlowly() {
        fill(20);
        needed("dead", 1, Duration.ofMillis(1));
        look(1);
        leave(LOW + 1);
        look(1);
        assertThat(step()).isEqualTo(1);
        leave(LOW - 1);

        look(1);

        assertThat(step()).isEqualTo(2);
        assertThat(setAside()).doesNotExist();
        assertThat(givenUpBelow).isEmpty();
    }

    @Test
    void onlyThenWhatIsOlderThanItsHoldIsGivenUpAndNoMoreThanMustBe() {
        fill(20);
        needed("dead", 1, Duration.ofSeconds(100));
        look(1);
        leave(LOW - 1);
        look(1);
        leave(LOW - 1);

        try (LogLines lines = LogLines.atWarn()) {
            look(3);
            assertThat(told(lines))
                    .singleElement()
                    .asString()
                    .contains("ERROR")
                    .contains("step 3 of 4")
                    .contains("the ledger has counts and positions")
                    .contains("mend the consumer or take it out of the configuration");
        }

        assertThat(givenUpBelow).hasSize(1);
        assertThat(journal.firstSeq()).isEqualTo(givenUpBelow.get(0)).isGreaterThan(1);
        assertThat(free()).isBetween(LOW + MARGIN - 1, LOW + MARGIN + 2 * SEGMENT);
        assertThat(step()).isEqualTo(3);
    }

    @Test
    void aDiskThatIsFullAtOnceStillGetsEachStepInItsTurn() {
        fill(20);
        needed("dead", 1, Duration.ofMillis(1));
        look(1);
        leave(0);

        look(1);
        assertThat(step()).isEqualTo(2);
        assertThat(givenUpBelow).isEmpty();
        leave(0);
        look(1);
        assertThat(step()).isEqualTo(3);
        assertThat(givenUpBelow).hasSize(1);
        assertThat(List.of(reached(1), reached(2), reached(3), reached(4))).containsExactly(1.0, 1.0, 1.0, 0.0);
    }

    @Test
    void whatIsYoungerThanTheHoldOfOneConsumerStaysForAll() {
        fill(20);
        needed("dead", 1, Duration.ofMillis(1));
        needed("patient", 1, Duration.ofDays(14));
        fillTheDiskTwice();

        look(3);

        assertThat(journal.firstSeq()).isEqualTo(1);
        assertThat(givenUpBelow).isEmpty();
        assertThat(ladder.notice())
                .contains(
                        "nothing more can be given up: consumer patient needs pushes from 1 on, which are younger than its"
                                + " hold of 14d");
    }

    @Test
    void aLongHoldKeepsNothingThatItsConsumerHasHad() {
        fill(20);
        long third = journal.extents().get(2).firstSeq();
        needed("dead", 1, Duration.ofMillis(1));
        needed("patient", third, Duration.ofDays(14));
        fillTheDiskTwice();

        look(3);

        assertThat(journal.firstSeq()).isBetween(2L, third);
    }

    @Test
    void noConsumerIsBlamedWhereNoneHoldsAnything() {
        fill(1);
        leave(0);

        look(5);

        assertThat(ladder.notice())
                .contains("step 3 of 4", "lie in the file that is being written to: make room")
                .doesNotContain("consumer or take it out");
    }

    @Test
    void aConsumerWhosePlaceIsNotKnownYetKeepsEverything() {
        fill(20);
        needed("dead", 1, Duration.ofMillis(1));
        needed("new", 0, Duration.ofMillis(Long.MAX_VALUE));
        leave(0);

        look(5);

        assertThat(journal.firstSeq()).isEqualTo(1);
        assertThat(givenUpBelow).isEmpty();
    }

    @Test
    void whatCouldNotBeGivenUpStaysUntilItCan() {
        fill(20);
        needed("dead", 1, Duration.ofMillis(1));
        fillTheDiskTwice();
        givingUpFails = true;

        try (LogLines lines = LogLines.atWarn()) {
            look(3);
            assertThat(lines.text())
                    .containsOnlyOnce("can't be given up, and is tried again")
                    .contains("store is away");
        }
        assertThat(ladder.notice())
                .contains("step 3 of 4", "pushes are accepted, and nothing is given up yet: make room");
        assertThat(journal.firstSeq()).isEqualTo(1);

        givingUpFails = false;
        look(1);
        assertThat(journal.firstSeq()).isGreaterThan(1);
    }

    @Test
    void whenThereIsRoomAgainAllIsAsBefore() {
        fill(20);
        needed("dead", 1, Duration.ofMillis(1));
        fillTheDiskTwice();
        look(1);
        assertThat(step()).isEqualTo(3);

        leave(RESERVE + MARGIN);
        try (LogLines lines = LogLines.atInfo()) {
            look(1);
            assertThat(lines.text()).contains("the disk has room again").contains("journal.set-aside is not in force");
        }
        assertThat(step()).isZero();
        assertThat(ladder.hasSpace()).isTrue();
        assertThat(ladder.notice()).isEmpty();
        assertThat(setAside()).doesNotExist();

        leave(RESERVE + MARGIN + SET_ASIDE);
        look(1);
        assertThat(setAside()).hasSize(SET_ASIDE);
        assertThat(step()).isZero();
    }

    @Test
    void aLittleMoreThanTheReserveDoesNotTurnReadinessGreenAndRedAgain() {
        needed("dead", 1, Duration.ofDays(1));
        fill(5);
        look(1);
        leave(RESERVE - 1);
        look(1);

        leave(RESERVE + 1);
        look(1);
        assertThat(ladder.hasSpace()).isFalse();
        assertThat(step()).isEqualTo(1);
        leave(RESERVE + MARGIN);
        assertThat(ladder.hasSpace()).isTrue();
        look(1);
        assertThat(step()).isZero();
    }

    @Test
    void pushesThatAreRefusedAreTheLastStep() {
        fill(20);
        needed("patient", 1, Duration.ofDays(14));
        fillTheDiskTwice();
        log.disk.breakWrites(0);
        var lost = new AppendResults(journal).append(push("lost"));
        Eventually.until(lost::isDone);

        look(1);
        assertThat(step()).isEqualTo(4);
        assertThat(ladder.notice()).contains("Pushes are answered 503").contains("make room now");

        log.disk.mend();
        Eventually.until(journal::writable);
        look(DiskLadder.WRITABLE_LOOKS - 1);
        assertThat(step()).isEqualTo(4);
        log.disk.breakWrites(0);
        var lostAgain = new AppendResults(journal).append(push("lost again"));
        Eventually.until(lostAgain::isDone);
        look(1);
        log.disk.mend();
        Eventually.until(journal::writable);
        look(DiskLadder.WRITABLE_LOOKS - 1);
        assertThat(step()).as("not so often in a row").isEqualTo(4);
        look(1);
        assertThat(step()).isEqualTo(3);
    }

    @Test
    void theLastStepIsLeftAtOnceWhereThereIsRoom() {
        fill(20);
        needed("patient", 1, Duration.ofDays(14));
        fillTheDiskTwice();
        log.disk.breakWrites(0);
        var lost = new AppendResults(journal).append(push("lost"));
        Eventually.until(lost::isDone);
        look(1);
        assertThat(step()).isEqualTo(4);

        log.disk.mend();
        Eventually.until(journal::writable);
        leave(RESERVE - 1);
        look(1);

        assertThat(step()).isEqualTo(3);
    }

    /** With a little more than the reserve free it would be red for good. */
    @Test
    void inTheFirstStepRoomIsMadeUntilItCanBeLeft() {
        fill(20);
        needed("slow", 1, Duration.ofDays(14));
        look(1);
        leave(RESERVE - 1);
        look(1);
        leave(RESERVE + 1);
        look(1);
        assertThat(step()).isEqualTo(1);

        backlogs.clear();
        look(2);

        assertThat(step()).isZero();
        assertThat(ladder.hasSpace()).isTrue();
    }

    /** The header of a segment finds room, and the next push none. */
    @Test
    void aDiskWithRoomForAHeaderAndForNoPushKeepsTheLastStepWhichIsToldOnce() {
        fill(20);
        needed("patient", 1, Duration.ofDays(14));
        fillTheDiskTwice();
        try (LogLines lines = LogLines.atWarn()) {
            for (int i = 0; i < 5; i++) {
                log.disk.breakWrites(0);
                var lost = new AppendResults(journal).append(push("lost " + i));
                Eventually.until(lost::isDone);
                look(1);
                assertThat(step()).isEqualTo(4);
                log.disk.mend();
                Eventually.until(journal::writable);
                look(1);
            }

            assertThat(told(lines))
                    .filteredOn(line -> line.contains("step 4 of 4"))
                    .hasSize(1);
        }
    }

    @Test
    void aJournalThatCanNotBeWrittenStillGetsRoomByGivingUp() {
        fill(20);
        needed("dead", 1, Duration.ofMillis(1));
        look(1);
        leave(0);
        log.disk.breakWrites(0);
        var lost = new AppendResults(journal).append(push("lost"));
        Eventually.until(lost::isDone);
        look(1);
        leave(0);

        look(1);

        assertThat(free()).isGreaterThan(LOW);
        assertThat(journal.firstSeq()).isGreaterThan(1);
        log.disk.mend();
        Eventually.until(journal::writable);
        assertThat(new AppendResults(journal).store(push("after")).duplicate()).isFalse();
    }

    @Test
    void aDiskThatDoesNotSayHowMuchIsFreeCostsNothing() {
        fill(20);
        needed("dead", 1, Duration.ofMillis(1));
        look(1);
        long unknown = free() + 1;
        others.addAndGet(unknown);
        assertThat(free()).isEqualTo(FreeSpace.UNKNOWN);

        look(5);

        assertThat(step()).isZero();
        assertThat(ladder.hasSpace()).isTrue();
        assertThat(setAside()).exists();
        assertThat(journal.firstSeq()).isEqualTo(1);
        assertThat(registry.get("holdfast.disk.free").gauge().value()).isNaN();
        assertThat(ladder.notice()).isEqualTo("nobody knows how much of the disk is free in " + directory);
    }

    @Test
    void norDoesOneThatCeasesToSayWhileItIsLookedAt() {
        fill(20);
        look(1);
        AtomicBoolean says = new AtomicBoolean(true);
        JournalConfig config =
                new JournalConfig(directory, Duration.ofDays(7), 1L << 40, RESERVE, SET_ASIDE, Duration.ofSeconds(10));
        try (DiskLadder silent = new DiskLadder(
                journal,
                config,
                consumers,
                new SimpleMeterRegistry(),
                clock,
                () -> says.getAndSet(false) ? LOW - 1 : FreeSpace.UNKNOWN)) {
            silent.look();

            assertThat(silent.state().step()).isZero();
            assertThat(setAside()).hasSize(SET_ASIDE);
        }
    }

    @Test
    void nothingIsSetAsideInADirectoryThatHasTakenThePlace() throws IOException {
        Path home = Files.createDirectory(directory.resolve("home"));
        Path away = directory.resolve("away");
        JournalConfig config =
                new JournalConfig(home, Duration.ofDays(7), 1L << 40, RESERVE, SET_ASIDE, Duration.ofSeconds(10));
        try (DiskLadder real =
                new DiskLadder(journal, config, consumers, new SimpleMeterRegistry(), Clock.systemUTC())) {
            Files.move(home, away);
            Files.createDirectory(home);
            real.look();
            assertThat(home).isEmptyDirectory();

            Files.delete(home);
            Files.move(away, home);
            real.look();
            assertThat(home.resolve("set-aside")).hasSize(SET_ASIDE);
        }
    }

    @Test
    void withoutAReserveThereIsNoLadderAndNothingIsSetAside() {
        fill(20);
        look(1);
        assertThat(setAside()).exists();
        ladder = ladder(0, SET_ASIDE);
        look(1);
        assertThat(setAside()).doesNotExist();
        leave(0);

        look(3);

        assertThat(step()).isZero();
        assertThat(ladder.hasSpace()).isTrue();
        assertThat(journal.firstSeq()).isEqualTo(1);
    }

    @Test
    void theFileThatIsWrittenToIsNeverRemovedEarly() {
        AppendResults answers = new AppendResults(journal);
        answers.store(push("one"));
        leave(0);
        int segments = log.segments().size();

        look(5);

        assertThat(journal.firstSeq()).isEqualTo(1);
        assertThat(log.segments()).hasSize(segments);
        assertThat(ladder.notice()).contains("lie in the file that is being written to");
    }

    @Test
    void aLookThatFailsIsNotTheLastOne() {
        AtomicInteger looks = new AtomicInteger();
        JournalConfig config =
                new JournalConfig(directory, Duration.ofDays(7), 1L << 40, RESERVE, 0, Duration.ofSeconds(10));
        try (DiskLadder starved =
                new DiskLadder(journal, config, consumers, new SimpleMeterRegistry(), Clock.systemUTC(), () -> {
                    switch (looks.incrementAndGet()) {
                        case 1 -> throw new OutOfMemoryError("made up");
                        case 2 -> throw new IllegalStateException("made up");
                        default -> {
                            return free();
                        }
                    }
                })) {
            starved.start();

            Eventually.until(() -> looks.get() > 2);
        }
    }
}
