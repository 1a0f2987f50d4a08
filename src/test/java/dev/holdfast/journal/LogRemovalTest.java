package dev.holdfast.journal;

import static dev.holdfast.journal.AppendResults.push;
import static dev.holdfast.journal.AppendResults.within;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Eventually;
import dev.holdfast.journal.AppendResults.Stored;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is given up goes by whole segments. */
class LogRemovalTest {
    @TempDir
    private Path directory;

    private LogUnderTest log;
    private LogJournal journal;
    private AppendResults answers;

    @BeforeEach
    void open() {
        log = log == null ? new LogUnderTest(directory).withSegmentsOf(2_000) : log;
        journal = log.open();
        answers = new AppendResults(journal);
    }

    @AfterEach
    void close() {
        journal.close();
    }

    private void storeOneByOne(int count) {
        for (int i = 0; i < count; i++) {
            answers.store(push("push " + i));
        }
    }

    @Test
    void wholeSegmentsGoAndTheirFilesWithThem() {
        storeOneByOne(100);
        int before = log.segments().size();
        long size = journal.size();

        within(journal.removeBelow(51).toCompletableFuture());

        assertThat(journal.firstSeq()).isBetween(30L, 51L);
        assertThat(journal.get(journal.firstSeq() - 1)).isEmpty();
        assertThat(journal.get(51)).isPresent();
        assertThat(LogUnderTest.seqs(journal)).startsWith(journal.firstSeq()).endsWith(100L);
        Eventually.until(() -> log.segments().size() < before - 1);
        assertThat(journal.size()).isLessThan(size);
        assertThat(log.corrupt()).isZero();
    }

    /** Each push is given up at once, so that a segment is gone soon after it was asked for. */
    @Test
    void itIsWritableAllTheWhile() throws Exception {
        AtomicBoolean ended = new AtomicBoolean();
        AtomicInteger refused = new AtomicInteger();
        List<Thread> asking = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Thread one = new Thread(() -> {
                while (!ended.get()) {
                    refused.addAndGet(journal.writable() ? 0 : 1);
                }
            });
            one.start();
            asking.add(one);
        }
        for (int i = 1; i <= 500; i++) {
            within(journal.removeBelow(answers.store(push("push " + i)).seq() + 1)
                    .toCompletableFuture());
        }
        ended.set(true);
        for (Thread one : asking) {
            one.join();
        }

        assertThat(refused).hasValue(0);
    }

    @Test
    void theSizeIsThatOfTheFiles() {
        storeOneByOne(100);
        within(journal.removeBelow(51).toCompletableFuture());

        Eventually.until(() -> journal.size()
                == log.segments().stream()
                        .mapToLong(file -> file.toFile().length())
                        .sum());
    }

    @Test
    void everythingMayGoAndPositionsGrowOn() {
        storeOneByOne(10);
        within(journal.removeBelow(1_000).toCompletableFuture());
        assertThat(journal.firstSeq()).isEqualTo(11);
        assertThat(journal.read(1, 10, 100)).isEmpty();
        Eventually.until(() -> log.segments().size() == 1);
        close();
        log = new LogUnderTest(directory);
        open();

        assertThat(journal.firstSeq()).isEqualTo(11);
        assertThat(journal.lastSeq()).isEqualTo(10);
        assertThat(answers.store(push("after"))).isEqualTo(new Stored(11, false));
        assertThat(log.corrupt()).isZero();
    }

    @Test
    void aSegmentThatIsOldInPartIsWrittenToNoMoreSoThatItCanGoLater() {
        log = new LogUnderTest(directory.resolve("slow"));
        close();
        open();
        storeOneByOne(10);

        within(journal.removeBelow(5).toCompletableFuture());
        assertThat(journal.firstSeq()).isEqualTo(1);
        answers.store(push("later"));
        within(journal.removeBelow(11).toCompletableFuture());

        assertThat(journal.firstSeq()).isEqualTo(11);
        assertThat(LogUnderTest.texts(journal)).containsExactly("later");
    }

    @Test
    void aRemovedPushIsNoLongerADuplicate() {
        storeOneByOne(100);
        within(journal.removeBelow(51).toCompletableFuture());
        long first = journal.firstSeq();

        assertThat(answers.store(push("push 2"))).isEqualTo(new Stored(101, false));
        assertThat(answers.store(push("push 60"))).isEqualTo(new Stored(61, true));
        assertThat(answers.store(push("push 2"))).isEqualTo(new Stored(101, true));
        Eventually.until(() -> log.digests.removedBelow() == first);
    }

    @Test
    void readingGoesOnWhileSegmentsGo() {
        storeOneByOne(100);
        long next = 1;
        while (next <= 100) {
            List<Long> some = journal.read(next, 3, Long.MAX_VALUE).stream()
                    .map(one -> one.seq())
                    .toList();
            assertThat(some).isNotEmpty();
            next = some.get(some.size() - 1) + 1;
            within(journal.removeBelow(next).toCompletableFuture());
        }
        assertThat(log.corrupt()).isZero();
    }

    @Test
    void aFileThatIsGoneAlreadyKeepsNothingFromBeingRemoved() throws Exception {
        storeOneByOne(100);
        Files.delete(log.segments().get(0));
        within(journal.removeBelow(60).toCompletableFuture());

        assertThat(journal.firstSeq()).isGreaterThan(30);
        Eventually.until(() -> log.segments().size() < 8);
        assertThat(answers.store(push("after"))).isEqualTo(new Stored(101, false));
    }

    /** With a gap between them the next opening would find pushes missing. */
    @Test
    void whereAFileStaysThoseBehindItDoToo() throws Exception {
        storeOneByOne(100);
        Path oldest = log.segments().get(0);
        Files.delete(oldest);
        Files.createDirectories(oldest.resolve("keeps it from being deleted"));
        int before = log.segments().size();

        within(journal.removeBelow(60).toCompletableFuture());

        assertThat(journal.firstSeq()).isGreaterThan(30);
        assertThat(log.segments()).hasSize(before);
    }

    /** Or a power cut would bring back the range of before, and what was removed were missing. */
    @Test
    void theRangeIsSyncedBeforeFilesGo() {
        storeOneByOne(100);
        // What is sealed is sealed by then.
        within(journal.removeBelow(1).toCompletableFuture());
        int syncs = log.disk.syncs();

        within(journal.removeBelow(30).toCompletableFuture());

        assertThat(log.disk.syncs()).isEqualTo(syncs + 1);
    }

    @Test
    void filesGoWhileTheDigestsOfThoseBeforeStillDo() {
        storeOneByOne(100);
        log.digests.removing().acquireUninterruptibly();
        try {
            within(journal.removeBelow(30).toCompletableFuture());
            Eventually.until(() -> log.digests.removing().hasQueuedThreads());
            within(journal.removeBelow(60).toCompletableFuture());
        } finally {
            log.digests.removing().release();
        }
    }
}
