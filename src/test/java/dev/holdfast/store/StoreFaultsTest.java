package dev.holdfast.store;

import static dev.holdfast.Eventually.eventually;
import static dev.holdfast.store.FilledStore.assertAllThere;
import static dev.holdfast.store.FilledStore.assertFails;
import static dev.holdfast.store.FilledStore.fill;
import static dev.holdfast.store.StoreUnderTest.letter;
import static dev.holdfast.store.StoreUnderTest.waits;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.FileTree;
import dev.holdfast.LogLines;
import dev.holdfast.WhenLogged;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletionStage;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

/** What becomes of the store when it is killed, damaged, or its disk fails. */
class StoreFaultsTest {
    @TempDir
    private Path data;

    private FilledStore filled;

    @BeforeEach
    void place() {
        filled = new FilledStore(data);
    }

    @Test
    void eachKindSurvivesReopening() {
        try (StoreUnderTest test = StoreUnderTest.in(data)) {
            fill(test);
        }
        for (int again = 0; again < 2; again++) {
            try (StoreUnderTest test = StoreUnderTest.in(data)) {
                assertAllThere(test);
            }
        }
    }

    @Test
    void eachKindSurvivesAKill(@TempDir Path afterKill) throws IOException {
        try (StoreUnderTest test = StoreUnderTest.in(data)) {
            fill(test);
            // What a killed process leaves behind: the files as they are now.
            Files.delete(afterKill);
            FileTree.copy(data, afterKill, file -> !file.endsWith("LOCK"));
        }
        try (StoreUnderTest test = StoreUnderTest.in(afterKill)) {
            assertAllThere(test);
        }
    }

    @Test
    void nobodyElseCanLookIntoIt() throws IOException {
        StoreUnderTest.in(data).close();

        for (String name : List.of("store", "digests")) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(data.resolve(name))))
                    .isEqualTo("rwx------");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"CURRENT", "MANIFEST-\\d+", "\\d+\\.sst"})
    void whatIsMissingIsToldSetAsideAndMadeAnew(String pattern) throws IOException {
        filled.withTables();
        Files.delete(filled.one(pattern));

        filled.assertMadeAnew();
    }

    /** A pipe's other end would be waited for. */
    @ParameterizedTest
    @ValueSource(strings = {"CURRENT", "MANIFEST-\\d+", "\\d+\\.sst", "format"})
    @Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aPipeInThePlaceOfAFileKeepsNobodyWaiting(String pattern) throws Exception {
        filled.withTables();
        Path file = filled.one(pattern);
        Files.delete(file);
        assertThat(new ProcessBuilder("mkfifo", file.toString()).start().waitFor())
                .isZero();

        try (StoreUnderTest test = StoreUnderTest.in(data)) {
            assertThat(test.store.writable()).isTrue();
        }
    }

    @Test
    void whatIsNoDirectoryIsToldSetAsideAndMadeAnew() throws IOException {
        filled.withTables();
        FileTree.delete(filled.store());
        Files.createSymbolicLink(filled.store(), data.resolve("nowhere"));

        filled.assertMadeAnew();
    }

    @ParameterizedTest
    @ValueSource(strings = {"CURRENT", "MANIFEST-\\d+"})
    void whatIsDamagedIsToldSetAsideAndMadeAnew(String pattern) throws IOException {
        filled.withTables();
        Path file = filled.one(pattern);
        byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length / 2] ^= 1;
        Files.write(file, bytes);

        filled.assertMadeAnew();
    }

    @Test
    void anyBitOfAnyFileMayFlipAndNothingWrongIsServed(@TempDir Path trials) throws IOException {
        filled.withTables();
        try (StoreUnderTest test = StoreUnderTest.in(data)) {
            // Into the log, which the next opening reads.
            test.checkpoint("mine", 10, List.of(waits("b", 10)), List.of());
            test.checkpoint("mine", 11, List.of(waits("c", 11)), List.of());
        }
        Random random = new Random(11);
        for (int trial = 0; trial < 60; trial++) {
            Path copy = Files.createDirectory(trials.resolve("" + trial)).resolve("data");
            FileTree.copy(data, copy, file -> !file.endsWith("LOCK"));
            List<Path> files;
            try (Stream<Path> all = Files.list(copy.resolve("store"))) {
                files = all.filter(file -> file.toFile().length() > 0)
                        .filter(file -> !file.getFileName().toString().startsWith("LOG"))
                        .sorted()
                        .toList();
            }
            Path file = files.get(trial % files.size());
            byte[] bytes = Files.readAllBytes(file);
            bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
            Files.write(file, bytes);
            try (StoreUnderTest test = StoreUnderTest.in(copy)) {
                assertAsItOnceWas(test, file);
            }
        }
    }

    /** A state of some moment as a whole, or nothing, or an error: never parts of different moments. */
    private static void assertAsItOnceWas(StoreUnderTest test, Path damaged) {
        assertThat(test.store.writable()).as(damaged.toString()).isTrue();
        Map<String, Long> positions = test.store.positions().all();
        long position = positions.getOrDefault("mine", 0L);
        try {
            List<Long> blocked = test.store.blockedPushes().firstOfEachLane("mine", 10).stream()
                    .map(push -> push.key().seq())
                    .toList();
            List<Long> expected = Map.of(
                            0L, List.<Long>of(),
                            9L, List.of(3L),
                            10L, List.of(3L, 10L),
                            11L, List.of(3L, 10L, 11L))
                    .get(position);
            assertThat(blocked).as(damaged.toString()).isEqualTo(expected);
            assertThat(test.letters("mine")).isSubsetOf(2L);
        } catch (StoreException refused) {
            assertThat(refused).hasMessageContaining("can't read the store");
        }
    }

    @Test
    void aDamagedLogIsToldAndEverythingBehindTheDamageIsUndone() throws IOException {
        try (StoreUnderTest test = StoreUnderTest.in(data)) {
            for (int i = 1; i <= 100; i++) {
                test.checkpoint("mine", i, List.of(waits("lane", i)), List.of());
            }
        }
        Path log = filled.one("\\d+\\.log");
        byte[] bytes = Files.readAllBytes(log);
        bytes[bytes.length / 2] ^= 1;
        Files.write(log, bytes);

        try (LogLines lines = LogLines.atWarn();
                StoreUnderTest test = StoreUnderTest.in(data)) {
            long position = test.store.positions().all().getOrDefault("mine", 0L);
            assertThat(position).isBetween(10L, 90L);
            assertThat(test.store.blockedPushes().count("mine")).isEqualTo(position);
            assertThat(test.store.blockedPushes().ofLane("mine", "lane", 0, 1_000))
                    .hasSize((int) position);
            assertThat(lines.text()).contains("the last " + (100 - position) + " writes are undone");
            assertThat(test.count("holdfast.store.undone")).isEqualTo((double) (100 - position));
            assertThat(test.store.notice()).contains("undone");
        }
    }

    @Test
    void damageFoundInUseStopsTheStoreUntilTheNextStartMakesItAnew() throws IOException {
        try (LogLines lines = LogLines.atWarn();
                StoreUnderTest test = StoreUnderTest.in(data)) {
            fill(test);
            test.failure.set(new RocksDBException(new Status(Status.Code.Corruption, Status.SubCode.None, "a block")));
            assertThatThrownBy(() -> test.checkpoint("mine", 10, List.of(), List.of()))
                    .hasRootCauseInstanceOf(RocksDBException.class);
            test.failure.set(null);

            eventually(() -> assertThat(lines.text()).contains("nothing is kept in it any more"));
            assertThatThrownBy(() -> test.checkpoint("mine", 11, List.of(), List.of()))
                    .hasMessageContaining("damaged");
            assertThatThrownBy(() -> test.store.replays().all()).isInstanceOf(StoreException.class);
            assertThat(test.store.writable()).isFalse();
            assertThat(test.store.notice()).contains("damaged", "the next start");
        }
        filled.assertMadeAnew();
    }

    /** Its files are missing, and it is not damaged. */
    @Test
    void aDirectoryThatIsAwayIsWaitedFor() throws IOException {
        Path home = Files.createDirectory(data.resolve("home"));
        Path away = data.resolve("away");
        try (StoreUnderTest test = StoreUnderTest.in(home)) {
            fill(test);
            Files.move(home, away);
            test.failure.set(new RocksDBException(new Status(
                    Status.Code.IOError,
                    Status.SubCode.None,
                    "While open a file for appending: store/000012.log: No such file or directory")));
            assertFails(test);
            test.failure.set(null);
            eventually(() ->
                    assertThat(test.store.closedBecause()).contains("it can't be opened", "another file of that name"));
            assertThat(home).doesNotExist();
            Files.move(away, home);

            eventually(() -> assertThat(test.store.writable()).isTrue());
            assertAllThere(test);
        }
    }

    @Test
    void afterAFailedWriteTheStoreIsOpenedAgain() {
        try (StoreUnderTest test = StoreUnderTest.in(data)) {
            fill(test);
            test.failure.set(new RocksDBException("IO error: No space left on device: while appending"));
            assertThatThrownBy(() -> test.checkpoint("mine", 10, List.of(waits("b", 10)), List.of()))
                    .hasCauseInstanceOf(StoreException.class);
            assertThat(test.store.blockedPushes().count("mine")).isEqualTo(2);
            test.failure.set(null);

            eventually(() -> assertThat(test.store.writable()).isTrue());
            assertAllThere(test);
            test.checkpoint("mine", 10, List.of(waits("b", 10)), List.of());
            assertThat(test.store.blockedPushes().count("mine")).isEqualTo(3);
            assertThat(test.count("holdfast.store.failures")).isPositive();
        }
    }

    @Test
    void whoWaitsHearsOfAFailedWriteThoughThereIsNoMemoryToSayItInTheLog() {
        try (StoreUnderTest test = StoreUnderTest.in(data);
                WhenLogged error = WhenLogged.outOfMemory(StoreLog.class, "the store can't be written")) {
            test.failure.set(new RocksDBException("IO error: No space left on device: while appending"));

            assertFails(test);
            assertThat(error.isDone()).isTrue();
            test.failure.set(null);
            eventually(() -> assertThat(test.store.writable()).isTrue());
        }
    }

    @Test
    void aDiskThatDoesNotLetItBeOpenedIsTriedAgainAndNoConsumerPassesForANewOne() throws IOException {
        Path lock = Files.createDirectories(filled.store().resolve("LOCK"));
        try (StoreUnderTest test = StoreUnderTest.in(data)) {
            assertThat(test.store.writable()).isFalse();
            assertThat(test.store.closedBecause()).contains("can't be opened");
            assertThatThrownBy(() -> test.store.positions().all()).isInstanceOf(StoreException.class);
            assertThatThrownBy(() -> test.checkpoint("mine", 1, List.of(), List.of()))
                    .hasCauseInstanceOf(StoreException.class);
            Files.delete(lock);

            eventually(() -> assertThat(test.store.writable()).isTrue());
            fill(test);
            assertAllThere(test);
        }
    }

    /** A start that waits for a full disk tries again and again. */
    @Test
    void nothingIsSaidOfTheDigestsWhereTheStoreCanNotBeOpenedEither() throws IOException {
        Files.createDirectories(data.resolve("store/LOCK"));
        Files.createDirectories(data.resolve("digests/LOCK"));

        try (LogLines lines = LogLines.atWarn()) {
            StoreUnderTest.in(data).close();
            assertThat(lines.text()).doesNotContain("digests");
        }
    }

    @Test
    void aFileThatCanNotBeOpenedDoesNotPassForDamage() throws IOException {
        filled.withTables();
        Path lock = filled.store().resolve("LOCK");
        Files.delete(lock);
        Files.createDirectory(lock);

        try (StoreUnderTest test = StoreUnderTest.in(data)) {
            assertThat(filled.setAside()).isEmpty();
            assertThat(test.store.writable()).isFalse();
            Files.delete(lock);

            eventually(() -> assertThat(test.store.writable()).isTrue());
            assertAllThere(test);
        }
    }

    /** The store stayed closed until it could be. */
    @Test
    void aWitnessThatCanNotBeOpenedKeepsNothingFromBeingKept() throws IOException {
        filled.withTables();
        Path witness = filled.store().resolve(LastWrite.NAME);
        Files.delete(witness);
        Files.createDirectory(witness);

        try (StoreUnderTest test = StoreUnderTest.in(data)) {
            assertThat(test.store.writable()).isTrue();
            assertAllThere(test);
            test.checkpoint("new", 1, List.of(), List.of());
        }
    }

    @Test
    void afterAnErrorWhileItWasOpenedNothingKeepsItFromBeingOpened() throws IOException {
        filled.withTables();
        try (LastWrite witness = new LastWrite(filled.store())) {
            witness.write(1_000);
        }
        try (WhenLogged error = WhenLogged.outOfMemory(StoreLog.class, "undone")) {
            assertThatThrownBy(() -> StoreUnderTest.in(data)).isInstanceOf(OutOfMemoryError.class);
            assertThat(error.isDone()).isTrue();
        }

        try (StoreUnderTest test = StoreUnderTest.in(data)) {
            assertThat(test.store.writable()).isTrue();
            assertThat(test.letters("mine")).containsExactly(2L);
        }
    }

    @Test
    void aSearchReadsNothingBehindTheLastPositionThatIsWanted() {
        try (StoreUnderTest test = StoreUnderTest.in(data)) {
            List<CompletionStage<Void>> saved = LongStream.rangeClosed(1, 300)
                    .mapToObj(seq -> test.store.deadLetters().save(letter("mine", seq, 50)))
                    .toList();
            saved.forEach(StoreUnderTest::within);
        }
        StoreUnderTest.put(
                data, group -> group.put(ColumnFamily.DEAD_LETTERS, DeadLetterForm.key("mine", 300), new byte[1]));

        try (StoreUnderTest test = StoreUnderTest.in(data)) {
            DeadLetterSearch search = new DeadLetterSearch(test.store.deadLetters());

            assertThat(search.count(new DeadLetterFilter("mine", null, 7, 7, Long.MAX_VALUE)))
                    .isEqualTo(1);
            assertThat(test.count("holdfast.store.corrupt")).isZero();
            assertThat(search.count(new DeadLetterFilter("mine", null, 7, 300, Long.MAX_VALUE)))
                    .isEqualTo(293);
            assertThat(test.count("holdfast.store.corrupt")).isEqualTo(1);
        }
    }

    @Test
    void aNewerFormatIsRefusedAndLeftAlone() throws IOException {
        filled.withTables();
        Files.writeString(filled.store().resolve("format"), "holdfast store 2 5bee7d33\n");

        assertThatThrownBy(() -> StoreUnderTest.in(data))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("found format 2 (expected: at most 1)");
        assertThat(filled.setAside()).isEmpty();
    }

    @Test
    void aDamagedFormatFileDoesNotPassForANewerOne() throws IOException {
        filled.withTables();
        Path format = filled.store().resolve("format");
        for (int bit = 0; bit < 8; bit++) {
            byte[] bytes = Files.readAllBytes(format);
            bytes["holdfast store ".length()] ^= (byte) (1 << bit);
            Files.write(format, bytes);

            try (StoreUnderTest test = StoreUnderTest.in(data)) {
                assertAllThere(test);
            }
        }
    }

    @Test
    void aFormatFileThatBecameLongerThanMemoryIsADamagedOne() throws IOException {
        filled.withTables();
        try (RandomAccessFile format =
                new RandomAccessFile(filled.store().resolve("format").toFile(), "rw")) {
            format.setLength(3L << 30);
        }

        try (StoreUnderTest test = StoreUnderTest.in(data)) {
            assertAllThere(test);
        }
    }

    @Test
    void aLockThatCanNotBeOpenedDoesNotPassForOneThatAnotherHolds() throws IOException {
        filled.withTables();
        Path lock = filled.store().resolve("LOCK");
        Files.delete(lock);
        Files.createDirectory(lock);

        try (StoreUnderTest test = StoreUnderTest.in(data)) {
            assertThat(test.store.closedBecause()).contains(lock + ": Is a directory");
        }
    }

    @Test
    void twoGatewaysDoNotShareIt() throws IOException {
        try (StoreUnderTest first = StoreUnderTest.in(data)) {
            fill(first);
            // It would be set aside by whoever has the directory.
            Path mark = Files.createFile(filled.store().resolve(StoreDirectory.MARK));
            assertThatThrownBy(() -> StoreUnderTest.in(data)).hasMessageContaining("in use");
            assertThat(mark).exists();
            assertAllThere(first);
        }
    }

    @Test
    void damagedDigestsAreMadeAnewAndTouchNothingElse() throws IOException {
        filled.withTables();
        Path digests = data.resolve("digests");
        try (Stream<Path> tables = Files.list(digests)) {
            for (Path table :
                    tables.filter(file -> file.toString().endsWith(".sst")).toList()) {
                Files.write(table, new byte[100], StandardOpenOption.TRUNCATE_EXISTING);
            }
        }
        try (StoreUnderTest test = StoreUnderTest.in(data)) {
            assertThat(test.store.digests().find(8)).isZero();
            assertThat(test.store.positions().all()).isEqualTo(Map.of("mine", 9L));
            assertThat(test.letters("mine")).containsExactly(2L);

            eventually(() -> {
                try {
                    test.store.digests().add(new long[] {8}, new long[] {5}, 1, 5);
                } catch (StoreException notYet) {
                    throw new AssertionError(notYet);
                }
            });
            assertThat(test.store.digests().find(8)).isEqualTo(5);
            assertThat(test.store.digests().upTo()).isEqualTo(5);
            assertThat(test.count("holdfast.store.digests.renewed")).isEqualTo(1);
        }
    }
}
