package dev.holdfast.journal;

import static dev.holdfast.journal.AppendResults.push;
import static dev.holdfast.journal.AppendResults.text;
import static dev.holdfast.journal.AppendResults.within;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Eventually;
import dev.holdfast.journal.AppendResults.Stored;
import dev.holdfast.push.PushRecord;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogJournalTest {
    /** Bytes of bodies of which two have one digest; more than it has. */
    private static final int COLLIDING = Long.BYTES + 1;

    @TempDir
    private Path directory;

    private LogUnderTest log;
    private LogJournal journal;
    private AppendResults answers;

    @BeforeEach
    void open() {
        log = log == null ? new LogUnderTest(directory) : log;
        journal = log.open();
        answers = new AppendResults(journal);
    }

    @AfterEach
    void close() {
        journal.close();
    }

    private void reopen() {
        journal.close();
        open();
    }

    @Test
    void positionsStartAtOneAndGrowInTheOrderOfArrival() {
        answers.storeMany("a", 1_000);

        List<Long> positions =
                answers.all().stream().map(answer -> within(answer).seq()).toList();
        assertThat(positions).isSorted().startsWith(1L).endsWith(1_000L).doesNotHaveDuplicates();
        assertThat(journal.firstSeq()).isEqualTo(1);
        assertThat(journal.lastSeq()).isEqualTo(1_000);
    }

    @Test
    void manyPushesShareOneSync() {
        log.disk.hang();
        for (int i = 0; i < 5_000; i++) {
            answers.append(push("a" + i));
        }
        log.disk.mend();
        answers.all().forEach(AppendResults::within);

        assertThat(log.registry().get("holdfast.journal.batch").summary().totalAmount())
                .isEqualTo(5_000);
        assertThat(log.registry().get("holdfast.journal.sync").timer().count())
                .as("one of those that came first, one of those that waited meanwhile")
                .isLessThanOrEqualTo(2);
    }

    @Test
    void whatIsAnsweredIsCountedAlready() {
        CompletableFuture<Double> counted = new CompletableFuture<>();

        journal.append(push("one"), new Journal.Outcome() {
            @Override
            public void stored(long seq, boolean duplicate) {
                counted.complete(
                        log.registry().get("holdfast.journal.batch").summary().totalAmount());
            }

            @Override
            public void failed(JournalException cause) {
                counted.completeExceptionally(cause);
            }
        });

        assertThat(within(counted)).isEqualTo(1);
    }

    @Test
    void bytesComeBackExactly() {
        PushRecord push = push("shop", "sub_x", "\u0000 {\"é\": \"\ud83d\ude00\"}\r\n", 77);

        long seq = answers.store(push).seq();

        assertThat(journal.get(seq)).get().usingRecursiveComparison().isEqualTo(push.at(seq));
        assertThat(journal.read(1, 10, 1_000))
                .singleElement()
                .usingRecursiveComparison()
                .isEqualTo(push.at(seq));
    }

    @Test
    void aBodyOfManyMegabytesIsStored() {
        String body = "x".repeat(20 << 20);

        assertThat(journal.get(answers.store(push(body)).seq()))
                .get()
                .extracting(AppendResults::text)
                .isEqualTo(body);
    }

    @Test
    void theSameBytesAreStoredOnce() {
        long seq = answers.store(push("default", "sub_1", "same", 1)).seq();

        assertThat(answers.store(push("default", "sub_2", "same", 2))).isEqualTo(new Stored(seq, true));
        assertThat(journal.lastSeq()).isEqualTo(seq);
    }

    @Test
    void theSameIdWithOtherBytesIsNotADuplicate() {
        answers.store(push("default", "sub_1", "one", 1));

        assertThat(answers.store(push("default", "sub_1", "two", 1))).isEqualTo(new Stored(2, false));
    }

    @Test
    void theSameBytesAtAnotherEndpointAreNotADuplicate() {
        answers.store(push("one", "sub_1", "same", 1));

        assertThat(answers.store(push("two", "sub_1", "same", 1))).isEqualTo(new Stored(2, false));
    }

    @Test
    void duplicatesInOneGroupAreFound() {
        for (int i = 0; i < 1_000; i++) {
            answers.append(push("same"));
        }

        List<Stored> stored = answers.all().stream().map(AppendResults::within).toList();
        assertThat(stored).filteredOn(one -> !one.duplicate()).containsExactly(new Stored(1, false));
        assertThat(stored).allMatch(one -> one.seq() == 1);
    }

    @Test
    void aDuplicateIsFoundAfterReopening() {
        answers.storeMany("a", 10);
        reopen();

        assertThat(answers.store(push("a3"))).isEqualTo(new Stored(4, true));
    }

    @Test
    void otherBytesWithTheSameDigestAreStored() {
        PushRecord one = bytes(new byte[COLLIDING]);
        PushRecord two = bytes(collision());
        assertThat(Digest.of(two)).isEqualTo(Digest.of(one));

        long first = answers.store(one).seq();
        Stored second = answers.store(two);

        assertThat(second).isEqualTo(new Stored(first + 1, false));
        assertThat(journal.get(second.seq())).get().extracting(PushRecord::body).isEqualTo(two.body());
    }

    private static PushRecord bytes(byte[] body) {
        return push("default", "sub_t_1600000000", body, 1_000);
    }

    /** Of the digest of zeros: the checksums are linear, so some of more bits than they have change nothing of them. */
    private static byte[] collision() {
        Map<Integer, BitSet> combinations = new HashMap<>();
        long[] changes = new long[Long.SIZE];
        for (int bit = 0; ; bit++) {
            BitSet combined = new BitSet();
            combined.set(bit);
            long change = checksums(combined) ^ checksums(new BitSet());
            while (change != 0 && combinations.containsKey(Long.numberOfTrailingZeros(change))) {
                int lowest = Long.numberOfTrailingZeros(change);
                combined.xor(combinations.get(lowest));
                change ^= changes[lowest];
            }
            if (change == 0) {
                return Arrays.copyOf(combined.toByteArray(), COLLIDING);
            }
            combinations.put(Long.numberOfTrailingZeros(change), combined);
            changes[Long.numberOfTrailingZeros(change)] = change;
        }
    }

    private static long checksums(BitSet bits) {
        byte[] body = Arrays.copyOf(bits.toByteArray(), COLLIDING);
        CRC32C first = new CRC32C();
        first.update(body);
        CRC32 second = new CRC32();
        second.update(body);
        return first.getValue() << Integer.SIZE | second.getValue();
    }

    @Test
    void theFollowerGetsEveryNewPushOnceAndInOrder() {
        List<PushRecord> followed = new CopyOnWriteArrayList<>();
        journal.follow(followed::addAll);

        answers.storeMany("a", 500);
        answers.storeMany("a", 500);
        answers.storeMany("b", 1);

        Eventually.until(() -> followed.size() == 501);
        assertThat(followed)
                .extracting(PushRecord::seq)
                .isSorted()
                .startsWith(1L)
                .endsWith(501L);
    }

    @Test
    void aFollowerThatThrowsDoesNotHurtTheJournal() {
        journal.follow(pushes -> {
            throw new IllegalStateException("the follower's own trouble");
        });

        answers.storeMany("a", 3);

        assertThat(answers.store(push("b"))).isEqualTo(new Stored(4, false));
    }

    @Test
    void readingStartsAnywhereAndKeepsToItsLimits() {
        answers.storeMany("a", 100);

        assertThat(journal.read(41, 3, 1_000)).extracting(PushRecord::seq).containsExactly(41L, 42L, 43L);
        assertThat(journal.read(41, 100, 7)).extracting(PushRecord::seq).containsExactly(41L, 42L, 43L);
        assertThat(journal.read(41, 100, 0)).hasSize(1);
        assertThat(journal.read(-5, 1, 1)).extracting(PushRecord::seq).containsExactly(1L);
        assertThat(journal.read(101, 10, 1_000)).isEmpty();
    }

    @Test
    void readingGoesOnWhileWritingDoes() {
        List<CompletableFuture<Stored>> writing = new ArrayList<>();
        List<PushRecord> read = new ArrayList<>();
        int count = 20_000;
        for (int i = 0; i < count; i++) {
            writing.add(answers.append(push("a" + i)));
            if (i % 1_000 == 0) {
                read.addAll(journal.read(read.size() + 1L, 500, Long.MAX_VALUE));
            }
        }
        writing.forEach(AppendResults::within);
        while (read.size() < count) {
            read.addAll(journal.read(read.size() + 1L, 5_000, Long.MAX_VALUE));
        }

        for (int i = 0; i < count; i++) {
            assertThat(text(read.get(i))).isEqualTo("a" + i);
        }
    }

    @Test
    void everythingIsThereAfterReopening() {
        answers.storeMany("a", 2_000);
        reopen();

        assertThat(journal.lastSeq()).isEqualTo(2_000);
        assertThat(journal.read(1, 3_000, Long.MAX_VALUE)).hasSize(2_000);
        assertThat(answers.store(push("b"))).isEqualTo(new Stored(2_001, false));
    }

    /** One that is not sealed is read through at the next opening. */
    @Test
    void eachSegmentIsSealedWhenTheNextHasFollowed() {
        LogUnderTest small = new LogUnderTest(directory.resolve("small")).withSegmentsOf(1);
        try (LogJournal rolling = small.open()) {
            for (int i = 0; i < 4; i++) {
                new AppendResults(rolling).store(push("of a segment of its own " + i));
            }
            List<Path> followed = small.segments().subList(0, 4);
            Eventually.until(() -> followed.stream().allMatch(LogJournalTest::isSealed));
        }
    }

    private static boolean isSealed(Path segment) {
        try (SegmentFile file = new SegmentFile(LogDisk.REAL, segment)) {
            SegmentFormat.Header header = file.header(false);
            return header != null && file.footer(header.marker(), false) != null;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void closingAnswersEveryWaitingPush() {
        List<CompletableFuture<Stored>> waiting = new ArrayList<>();
        for (int i = 0; i < 3_000; i++) {
            waiting.add(answers.append(push("a" + i)));
        }
        journal.close();

        assertThat(waiting).allMatch(CompletableFuture::isDone);
        long stored =
                waiting.stream().filter(one -> !one.isCompletedExceptionally()).count();
        open();
        assertThat(journal.lastSeq()).isEqualTo(stored);
    }

    @Test
    void aClosedJournalRefusesInsteadOfStayingSilent() {
        journal.close();

        assertThat(answers.append(push("late"))).isCompletedExceptionally();
        assertThat(journal.removeBelow(1).toCompletableFuture()).isCompletedExceptionally();
        assertThat(journal.writable()).isFalse();
        assertThatThrownBy(() -> journal.read(1, 1, 1))
                .isInstanceOf(JournalException.class)
                .hasMessageContaining("not open");
    }

    @Test
    void closingTwiceIsHarmless() {
        journal.close();
        journal.close();

        assertThat(journal.size()).isZero();
    }

    @Test
    void aSecondGatewayInTheSameDirectoryIsRefused() {
        assertThatThrownBy(() -> new LogUnderTest(directory).open())
                .isInstanceOf(JournalException.class)
                .hasMessageContaining(directory.toString())
                .hasMessageContaining("in use by another process, a gateway or a command");
    }

    @Test
    void theMetersTellWhereTheJournalIs() {
        answers.storeMany("a", 10);

        assertThat(log.registry().get("holdfast.journal.last.seq").gauge().value())
                .isEqualTo(10);
        assertThat(log.registry().get("holdfast.journal.first.seq").gauge().value())
                .isEqualTo(1);
        assertThat(log.registry().get("holdfast.journal.size").gauge().value()).isPositive();
    }
}
