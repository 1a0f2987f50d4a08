package dev.holdfast.quarantine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.BadBlock;
import dev.holdfast.Eventually;
import dev.holdfast.LogLines;
import dev.holdfast.WhenLogged;
import dev.holdfast.config.QuarantineConfig;
import dev.holdfast.quarantine.QuarantinedRequest.Cause;
import dev.holdfast.quarantine.QuarantinedRequest.Header;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Real files: what is kept, for how long, and what becomes of damage. */
@Timeout(60)
class QuarantineTest {
    private static final int MANY = 1_000_000;
    private static final String FIRST = "00000000000000000001.requests";
    /** Takes nothing that is written to it. */
    private static final Path FULL = Path.of("/dev/full");

    private static final QuarantineFilter ALL = QuarantineFilter.between(0, Long.MAX_VALUE);

    @TempDir
    private Path data;

    private final AtomicLong millis = new AtomicLong(1_700_000_000_000L);
    private SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private Quarantine quarantine;
    private long maxSize = 1 << 30;
    private int maxCount = MANY;
    private int perSecond = MANY;
    private long bytesPerSecond = 1L << 40;
    private LongSupplier nanoTime = System::nanoTime;
    /** Until it is let go the quarantine's thread hangs, as its disk may. */
    private volatile CountDownLatch disk = new CountDownLatch(0);

    @BeforeEach
    void openFirst() {
        quarantine = opened();
    }

    /** Anew, with the bounds of now. */
    private void open() {
        close();
        quarantine = opened();
    }

    private Quarantine opened() {
        registry = new SimpleMeterRegistry();
        QuarantineConfig config = new QuarantineConfig(maxSize, Duration.ofDays(7), 1 << 20);
        return new Quarantine(
                data,
                new Quarantine.Limits(config, maxCount, perSecond, bytesPerSecond, nanoTime),
                1,
                registry,
                this::now);
    }

    private Instant now() {
        if (Thread.currentThread().getName().equals("quarantine")) {
            try {
                disk.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
        return Instant.ofEpochMilli(millis.get());
    }

    @AfterEach
    void close() {
        quarantine.close();
    }

    private static byte[] body(int n, int size) {
        byte[] body = new byte[size];
        byte[] start = ("body " + n + " ").getBytes(UTF_8);
        System.arraycopy(start, 0, body, 0, Math.min(start.length, size));
        return body;
    }

    private void keep(int n, int size) {
        QuarantinedRequest request = new QuarantinedRequest(
                QuarantinedRequest.UNKEPT,
                millis.get(),
                n % 2 == 0 ? "even" : "odd",
                Cause.MISMATCH,
                "192.0.2.1",
                "a=" + n,
                List.of(new Header("Service-Signature", "00"), new Header("X-Wide", "é令")),
                body(n, size));
        quarantine.keep(size, () -> request);
    }

    /** Keeps them one after the other, each when the one before is on disk: none is dropped because too much waits. */
    private void keep(int from, int to, int size) {
        Counter kept = counter("kept");
        for (int n = from; n <= to; n++) {
            double handled = kept.count() + 1;
            keep(n, size);
            while (kept.count() < handled) {
                LockSupport.parkNanos(50_000);
            }
        }
    }

    private Counter counter(String meter) {
        return registry.get("holdfast.quarantine." + meter).counter();
    }

    private double count(String meter) {
        return counter(meter).count();
    }

    private double dropped(String cause) {
        return registry.get("holdfast.quarantine.dropped")
                .tag("cause", cause)
                .counter()
                .count();
    }

    private double evicted(String cause) {
        return registry.get("holdfast.quarantine.evicted")
                .tag("cause", cause)
                .counter()
                .count();
    }

    private List<Long> ids() {
        return quarantine.list(ALL, Integer.MAX_VALUE, QuarantinedRequest::id);
    }

    private static List<Long> range(long from, long to) {
        return LongStream.rangeClosed(from, to).boxed().toList();
    }

    private List<Path> files() {
        try (Stream<Path> files = Files.list(data.resolve("quarantine"))) {
            return files.sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private long onDisk() {
        return files().stream().mapToLong(file -> file.toFile().length()).sum();
    }

    @Test
    void whileItsDiskHangsNoMoreWaitInMemoryThanMay() {
        disk = new CountDownLatch(1);
        try {
            for (int n = 0; n < 10; n++) {
                keep(n, (int) QuarantineConfig.WAITING / 4);
            }

            assertThat(dropped("busy")).isBetween(5.0, 6.0);
        } finally {
            disk.countDown();
        }
    }

    @Test
    void aRequestComesBackAsItWasAcrossAReopening() {
        keep(1, 3, 100);
        open();

        List<QuarantinedRequest> all = quarantine.list(ALL, 10, request -> request);

        assertThat(all).hasSize(3);
        assertThat(all.get(1))
                .usingRecursiveComparison()
                .isEqualTo(new QuarantinedRequest(
                        2,
                        millis.get(),
                        "even",
                        Cause.MISMATCH,
                        "192.0.2.1",
                        "a=2",
                        List.of(new Header("Service-Signature", "00"), new Header("X-Wide", "é令")),
                        body(2, 100)));
        assertThat(all.get(1).values("service-SIGNATURE")).containsExactly("00");
        assertThat(quarantine.notice()).isEmpty();
    }

    @Test
    void aFilterChoosesAndAPageEndsWhereItShould() {
        keep(1, 20, 10);
        millis.addAndGet(1_000);
        keep(21, 30, 10);

        assertThat(quarantine.list(
                        new QuarantineFilter("odd", null, 4, 12, 0, Long.MAX_VALUE, null, null),
                        3,
                        QuarantinedRequest::id))
                .containsExactly(5L, 7L, 9L);
        assertThat(quarantine.list(
                        new QuarantineFilter(null, null, 0, Long.MAX_VALUE, millis.get(), Long.MAX_VALUE, null, null),
                        100,
                        QuarantinedRequest::id))
                .isEqualTo(range(21, 30));
        assertThat(quarantine.list(
                        new QuarantineFilter(null, Cause.MISSING, 0, Long.MAX_VALUE, 0, Long.MAX_VALUE, null, null),
                        100,
                        QuarantinedRequest::id))
                .isEmpty();
    }

    @Test
    void theOldestGoWhenTheirFilesGrowTooLarge() {
        maxSize = 1 << 20;
        open();

        keep(1, 400, 10_000);

        assertThat(onDisk()).isBetween(900_000L, 1L << 20);
        assertThat(ids()).isEqualTo(range(401 - ids().size(), 400)).hasSizeGreaterThan(90);
        assertThat(evicted("size")).isEqualTo(400 - ids().size());
    }

    @Test
    void whatIsDeletedBehindItsBackIsNotWrittenToAnyMore() throws IOException {
        keep(1, 3, 10);
        for (Path file : files()) {
            Files.delete(file);
        }
        keep(4, 5, 10);
        assertThat(ids()).isEqualTo(range(4, 5));

        for (Path file : files()) {
            Files.delete(file);
        }
        Files.delete(data.resolve("quarantine"));
        keep(6, 7, 10);
        assertThat(ids()).isEqualTo(range(6, 7));
    }

    @Test
    void nothingIsKeptInADirectoryThatHasTakenThePlaceOfItsOwn() throws IOException {
        assertThat(ids()).isEmpty();
        Path own = Files.move(data, data.resolveSibling(data.getFileName() + "-own"));
        try {
            Files.createDirectory(data);
            keep(1, 10);

            Eventually.until(() -> dropped("space") == 1);
            assertThat(data).isEmptyDirectory();
        } finally {
            Files.delete(data);
            Files.move(own, data);
        }
    }

    @Test
    void aDirectoryThatIsDeletedLacksNoSpace() throws IOException {
        assertThat(ids()).isEmpty();
        Files.delete(data.resolve("quarantine").resolve(FIRST));
        Files.delete(data.resolve("quarantine"));

        keep(1, 10);
        Eventually.until(() -> count("kept") == 1);
        assertThat(ids()).containsExactly(1L);
    }

    @Test
    void thatItIsFullIsSaidOnce() {
        maxSize = 1 << 20;
        open();
        try (LogLines log = LogLines.atWarn()) {
            keep(1, 400, 10_000);

            assertThat(ids()).hasSizeLessThan(400);
            assertThat(log.lines()).hasSize(1);
            assertThat(log.lines().get(0)).contains("the quarantine loses requests: ", " given up ", ", 0 not kept");
        }
    }

    @Test
    void thatMoreComesThanIsKeptIsSaidOnce() {
        perSecond = 1;
        nanoTime = () -> 0;
        open();
        try (LogLines log = LogLines.atWarn()) {
            for (int i = 0; i < 10; i++) {
                keep(i, 1);
            }

            assertThat(log.lines()).hasSize(1);
            assertThat(log.lines().get(0)).contains("the quarantine loses requests: 0 given up ", ", 1 not kept");
        }
    }

    @Test
    void theOldestGoWhenThereAreTooMany() {
        maxCount = 640;
        open();

        keep(1, 1000, 1);

        assertThat(ids()).isEqualTo(range(1001 - ids().size(), 1000)).hasSizeBetween(630, 640);
        assertThat(evicted("count")).isEqualTo(1000 - ids().size());
        assertThat(quarantine.count()).isEqualTo(ids().size());
    }

    @Test
    void whatIsTooOldIsNotShownAndItsSpaceComesBack() {
        keep(1, 10, 10_000);
        millis.addAndGet(Duration.ofDays(4).toMillis());
        keep(11, 20, 10_000);
        millis.addAndGet(Duration.ofDays(3).toMillis() + 1);

        assertThat(ids()).isEqualTo(range(11, 20));
        quarantine.expire();
        // Behind it in line.
        quarantine.remove(List.of(1L));
        assertThat(evicted("age")).isEqualTo(10);
        assertThat(onDisk()).isLessThan(110_000);

        millis.addAndGet(Duration.ofDays(4).toMillis());
        quarantine.expire();
        quarantine.remove(List.of(1L));
        assertThat(onDisk()).isLessThan(100);
        keep(21, 21, 1);
        assertThat(ids()).containsExactly(21L);
    }

    /** Two requests, of which the first is too old by now. */
    private void keepWithAnOldFileThatCanNotBeDeleted() throws IOException {
        keep(1, 1, 100);
        millis.addAndGet(Duration.ofHours(3).toMillis());
        keep(2, 2, 100);
        Path first = data.resolve("quarantine").resolve(FIRST);
        Files.delete(first);
        Files.createDirectories(first.resolve("in-the-way"));
        millis.addAndGet(Duration.ofDays(7).minusHours(1).toMillis());
    }

    @Test
    void whereAnOldFileCanNotBeDeletedTheNextRequestIsKeptAtOnceAndNothingIsToldForGood() throws IOException {
        keepWithAnOldFileThatCanNotBeDeleted();

        quarantine.expire();
        // Behind it in line.
        quarantine.remove(List.of(1L));
        keep(3, 100);

        Eventually.eventually(() -> assertThat(ids()).containsExactly(2L, 3L));
        assertThat(quarantine.notice()).isEmpty();
        assertThat(dropped("storage")).isZero();
    }

    /** It would end the thread, and the process with it. */
    @Test
    void whereMemoryRunsOutWithAnOldFileItCostsTheQuarantineOnly() throws IOException {
        keepWithAnOldFileThatCanNotBeDeleted();

        try (WhenLogged error = WhenLogged.outOfMemory(QuarantineWriter.class, "can't be deleted")) {
            quarantine.expire();
            Eventually.eventually(() -> assertThat(error.isDone()).isTrue());
        }

        Eventually.eventually(() -> assertThat(quarantine.notice()).contains("can't be written", "OutOfMemoryError"));
        assertThat(ids()).containsExactly(2L);
    }

    /** Whose digits are others, as of Arabic: a file that is named with them would not be found again. */
    @Test
    void aLocaleNamesNoFile() {
        Locale before = Locale.getDefault();
        Locale.setDefault(Locale.forLanguageTag("ar-EG"));
        try {
            open();
            keep(1, 3, 100);
            open();
        } finally {
            Locale.setDefault(before);
        }

        assertThat(ids()).isEqualTo(range(1, 3));
        keep(4, 4, 100);
        assertThat(ids()).isEqualTo(range(1, 4));
    }

    @Test
    void whatIsTakenOutIsGoneAndItsSpaceComesBack() {
        maxSize = 4 << 20;
        open();
        keep(1, 100, 20_000);
        long before = onDisk();

        assertThat(quarantine.remove(range(11, 90))).isEqualTo(80);
        assertThat(quarantine.remove(range(11, 90))).isZero();

        assertThat(ids()).hasSize(20).startsWith(1L, 2L).endsWith(99L, 100L);
        assertThat(onDisk()).isLessThan(before / 4);
        open();
        assertThat(ids()).hasSize(20);
        quarantine.remove(range(1, 100));
        assertThat(onDisk()).isLessThan(100);
        open();
        keep(1, 1, 1);
        assertThat(ids()).as("no identifier is given twice").containsExactly(101L);
    }

    @Test
    void whoReadsWhileOthersTakeSomeOutTakesNothingForDamage() {
        maxCount = 640;
        open();
        keep(1, 30, 100);
        List<Long> seen = new ArrayList<>();

        quarantine.walk(ALL, request -> {
            if (request.id() == 1) {
                quarantine.remove(range(12, 15));
            }
            return seen.add(request.id());
        });

        assertThat(seen).hasSize(26).doesNotContain(12L, 15L);
        assertThat(quarantine.notice()).isEmpty();
        assertThat(count("damaged")).isZero();
    }

    @Test
    void onlySoManyAreTakenInASecondAndTheOthersAreCounted() {
        AtomicLong nanos = new AtomicLong();
        perSecond = 100;
        nanoTime = nanos::get;
        open();
        for (int i = 0; i < 1000; i++) {
            keep(i, 1);
        }
        assertThat(dropped("rate")).isEqualTo(900);

        nanos.addAndGet(Duration.ofMillis(500).toNanos());
        for (int i = 0; i < 1000; i++) {
            keep(i, 1);
        }

        assertThat(dropped("rate")).isEqualTo(1850);
        Eventually.eventually(() -> assertThat(quarantine.count()).isEqualTo(150));
    }

    @Test
    void onlySoManyBytesAreTakenInASecond() {
        AtomicLong nanos = new AtomicLong();
        bytesPerSecond = 100_000;
        nanoTime = nanos::get;
        open();
        for (int i = 0; i < 100; i++) {
            keep(i, 10_000);
        }

        assertThat(dropped("rate")).isBetween(89.0, 93.0);
    }

    @Test
    void aBodyThatIsTooLongIsNotKept() {
        keep(1, 1 << 20);
        keep(2, (1 << 20) + 1);

        Eventually.eventually(() -> assertThat(ids()).hasSize(1));
        assertThat(dropped("too-large")).isEqualTo(1);
    }

    @Test
    void onADiskWithoutMoreSpaceThanTheJournalsReserveNothingIsKept() {
        close();
        registry = new SimpleMeterRegistry();
        quarantine = Quarantine.open(
                data, new QuarantineConfig(1 << 30, Duration.ofDays(7), 1 << 20), Long.MAX_VALUE, registry);

        keep(1, 1);

        Eventually.eventually(() -> assertThat(dropped("space")).isEqualTo(1));
        assertThat(ids()).isEmpty();
    }

    @Test
    void aFlippedBitCostsTheRequestItHitAndIsTold() throws IOException {
        keep(1, 10, 1000);
        close();
        Path file = files().get(0);
        byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length / 2] ^= 1;
        Files.write(file, bytes);

        try (LogLines log = LogLines.atWarn()) {
            open();

            assertThat(ids()).hasSizeBetween(9, 9).contains(1L, 10L);
            assertThat(quarantine.notice()).contains("the quarantine: some of its requests are damaged");
            assertThat(log.text()).contains("is damaged at request");
        }
        keep(11, 11, 1);
        assertThat(ids()).contains(11L);
        assertThat(count("damaged")).as("however often it is met").isEqualTo(1);
    }

    @Test
    void whatLiesBehindADamagedHeadIsLostAndTheRestIsServed() throws IOException {
        maxCount = 640;
        open();
        keep(1, 30, 1000);
        close();
        Path second = files().get(1);
        byte[] bytes = Files.readAllBytes(second);
        bytes[QuarantineFile.HEADER + 3] ^= 1;
        Files.write(second, bytes);

        open();

        assertThat(ids())
                .isEqualTo(Stream.concat(range(1, 10).stream(), range(21, 30).stream())
                        .toList());
        assertThat(quarantine.notice()).contains("some of its files are damaged");
        keep(31, 31, 1);
        assertThat(ids()).hasSize(21).doesNotHaveDuplicates();
    }

    @Test
    void nonsenseInItsPlaceKeepsNothingFromBeingKept() throws IOException {
        keep(1, 3, 10);
        close();
        Files.writeString(files().get(0), "nonsense that is no file of requests");
        open();
        keep(4, 6, 10);
        assertThat(ids()).as("no identifier is given twice").hasSize(3).doesNotContain(1L, 2L, 3L);
    }

    @Test
    void whatElseLiesBesideItsFilesIsLeftAlone() throws Exception {
        keep(1, 3, 10);
        close();
        Path tooHigh = Files.createFile(data.resolve("quarantine/99999999999999999999.requests"));
        Path pipe = data.resolve("quarantine/00000000000000000002.requests");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();

        open();
        keep(4, 6, 10);

        assertThat(ids()).containsExactly(1L, 2L, 3L, 4L, 5L, 6L);
        assertThat(tooHigh).exists();
        assertThat(pipe).exists();
    }

    @Test
    void anErrorWhileItIsOpenedKeepsNobodyWaiting() throws IOException {
        close();
        Files.writeString(files().get(0), "nonsense that is no file of requests");

        try (WhenLogged error = WhenLogged.outOfMemory(QuarantineDamage.class, "is damaged")) {
            open();

            assertThatThrownBy(this::ids).isInstanceOf(QuarantineException.class);
            assertThat(quarantine.notice()).contains("the quarantine can't be opened");
            assertThat(error.isDone()).isTrue();
        }
    }

    @Test
    void aFileThatCanNotBeBegunIsNotLeftOpen() throws IOException {
        close();
        Path first = files().get(0);
        Files.delete(first);
        Files.createSymbolicLink(first, FULL);

        open();

        assertThatThrownBy(this::ids).isInstanceOf(QuarantineException.class);
        assertThat(quarantine.notice()).contains("can't be opened", "No space left");
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
            assertThat(descriptors.map(QuarantineTest::target)).doesNotContain(FULL);
        }
    }

    /** What a descriptor is of; itself when it is closed meanwhile. */
    private static Path target(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor);
        } catch (IOException e) {
            return descriptor;
        }
    }

    @Test
    void whatCanNotBeTakenOutStaysAndLeavesNoCopy() throws IOException {
        keep(1, 3, 100);
        Path copy = Files.createSymbolicLink(files().get(0).resolveSibling(FIRST + ".new"), FULL);

        assertThatThrownBy(() -> quarantine.remove(List.of(2L)))
                .isInstanceOf(QuarantineException.class)
                .hasMessageContaining("No space left");

        assertThat(copy).doesNotExist();
        assertThat(ids()).isEqualTo(range(1, 3));
        assertThat(quarantine.remove(List.of(2L))).isEqualTo(1);
        assertThat(ids()).containsExactly(1L, 3L);
    }

    @Test
    void whatCanNotBeDeletedIsStillThereToBeTakenOutAgain() throws Exception {
        keep(1, 3, 100);
        Path first = files().get(0);
        assumeTrue(chattr("+i", first), "found no chattr, or no right or file system for it");
        try {
            assertThatThrownBy(() -> quarantine.remove(range(1, 3))).isInstanceOf(QuarantineException.class);

            assertThat(ids()).isEqualTo(range(1, 3));
        } finally {
            chattr("-i", first);
        }
        assertThat(quarantine.remove(range(1, 3))).isEqualTo(3);
        assertThat(first).doesNotExist();
    }

    private static boolean chattr(String mode, Path file) throws InterruptedException {
        try {
            return new ProcessBuilder("chattr", mode, file.toString()).start().waitFor() == 0;
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void aCopyThatWasNotFinishedIsDeleted() throws IOException {
        close();
        Path copy = Files.write(files().get(0).resolveSibling(FIRST + ".new"), new byte[1_000]);

        open();

        assertThat(ids()).isEmpty();
        assertThat(copy).doesNotExist();
    }

    @Test
    void aTornEndIsCutOffByTheNextFile() throws IOException {
        keep(1, 10, 1000);
        close();
        Path file = files().get(0);
        byte[] bytes = Files.readAllBytes(file);
        Files.write(file, java.util.Arrays.copyOf(bytes, bytes.length - 500));

        open();
        keep(11, 11, 10);

        assertThat(ids()).hasSize(10).startsWith(1L, 2L).doesNotHaveDuplicates();
        assertThat(ids().get(9)).isGreaterThanOrEqualTo(10L);
    }

    @Test
    void afterAPowerCutInAnEmptyQuarantineNoIdentifierIsGivenTwice() throws IOException {
        keep(1, 4, 10);
        quarantine.remove(range(1, 4));
        close();
        Files.write(files().get(0), new byte[0]);

        open();
        keep(5, 8, 10);

        assertThat(ids()).isEqualTo(range(5, 8));
        assertThat(quarantine.list(QuarantineFilter.between(7, 7), 1, QuarantinedRequest::id))
                .containsExactly(7L);
        assertThat(quarantine.notice()).isEmpty();
        assertThat(files()).hasSize(1);
    }

    /** The next file can't be begun; returns what is in its way. */
    private Path fullFor(long nextId) throws IOException {
        return Files.createSymbolicLink(data.resolve("quarantine/%020d.requests".formatted(nextId)), FULL);
    }

    @Test
    void whereNoNewFileCanBeBegunTheNextRequestTriesItAgain() throws IOException {
        keep(1, 3, 100);
        Path full = fullFor(4);
        assertThatThrownBy(() -> quarantine.remove(List.of(2L))).hasMessageContaining("No space left");
        Files.delete(full);

        keep(4, 100);

        Eventually.eventually(() -> assertThat(ids()).isEqualTo(range(1, 4)));
        assertThat(dropped("storage")).isZero();
        assertThat(quarantine.remove(List.of(2L))).isEqualTo(1);
    }

    /** Or an operator would be told of it until the next request is refused, which may be in months. */
    @Test
    void thatNothingCouldBeWrittenIsToldUntilItIsSeenThatItCan() throws IOException {
        keep(1, 1, 100);
        Files.delete(files().get(0));
        Path full = fullFor(2);
        keep(2, 100);
        Eventually.eventually(() -> assertThat(quarantine.notice()).contains("can't be written", "No space left"));

        Files.delete(full);
        quarantine.expire();

        Eventually.eventually(() -> assertThat(quarantine.notice()).isEmpty());
        keep(3, 3, 100);
    }

    /** On a full disk, of which it gives back what it can. */
    @Test
    void whereNoNewFileCanBeBegunTheOlderOnesAreTakenOutAllTheSame() throws IOException {
        maxCount = 640;
        open();
        keep(1, 25, 100);
        Path full = fullFor(26);

        assertThatThrownBy(() -> quarantine.remove(range(1, 25)))
                .isInstanceOf(QuarantineException.class)
                .hasMessageContaining("No space left");

        assertThat(ids()).isEqualTo(range(21, 25));
        Files.delete(full);
        assertThat(quarantine.remove(range(1, 25))).isEqualTo(5);
        open();
        keep(1, 1, 1);
        assertThat(ids()).as("no identifier is given twice").containsExactly(26L);
    }

    @Test
    void whereNoNewFileCanBeBegunTheNextIdentifierIsKnownAllTheSame() throws IOException {
        keep(1, 3, 100);
        Path full = fullFor(4);
        assertThatThrownBy(() -> quarantine.remove(List.of(2L))).hasMessageContaining("No space left");
        millis.addAndGet(Duration.ofDays(8).toMillis());
        quarantine.expire();
        close();
        Files.delete(full);

        open();
        keep(4, 4, 100);

        assertThat(ids()).containsExactly(4L);
    }

    @Test
    void aFileThatTheDiskDoesNotGiveAtAStartIsPassedOverUntilItDoes() throws IOException {
        maxCount = 640;
        open();
        keep(1, 30, 100);
        close();
        Path second = files().get(1);
        byte[] bytes = Files.readAllBytes(second);
        BadBlock.in(second);

        try (LogLines log = LogLines.atWarn()) {
            open();

            assertThat(ids())
                    .isEqualTo(Stream.concat(range(1, 10).stream(), range(21, 30).stream())
                            .toList());
            assertThat(log.text()).contains(second + " can't be read");
        }
        assertThat(quarantine.notice()).contains("some of its files can't be read, and are passed over");
        assertThat(count("damaged")).isEqualTo(1);
        Files.delete(second);
        Files.write(second, bytes);
        open();
        assertThat(quarantine.notice()).isEmpty();
        assertThat(ids()).isEqualTo(range(1, 30));
    }

    @Test
    void theIdentifiersOfTheNewestFileAreNotGivenAgainWhenTheDiskDoesNotGiveIt() throws IOException {
        keep(1, 4, 10);
        quarantine.remove(range(1, 4));
        close();
        BadBlock.in(files().get(0));

        open();
        assertThat(ids()).isEmpty();
        assertThat(quarantine.notice()).contains("can't be read");
        keep(5, 5, 10);

        assertThat(ids()).hasSize(1).allMatch(id -> id > 5);
    }

    @Test
    void aFileThatTheDiskDoesNotGiveAnyMoreIsToldOnceAndTheOthersAreListedAndTakenOut() throws IOException {
        maxCount = 640;
        open();
        keep(1, 30, 100);
        BadBlock.in(files().get(1));
        List<Long> others =
                Stream.concat(range(1, 10).stream(), range(21, 30).stream()).toList();

        try (LogLines log = LogLines.atWarn()) {
            assertThat(ids()).isEqualTo(others);
            assertThat(quarantine.newest(ALL, 15, QuarantinedRequest::id))
                    .hasSize(15)
                    .startsWith(30L)
                    .endsWith(6L);
            assertThat(log.lines())
                    .filteredOn(line -> line.contains("can't be read"))
                    .hasSize(1);
        }
        assertThat(quarantine.notice()).contains("some of its files can't be read, and are passed over");
        assertThat(count("damaged")).isEqualTo(1);
        assertThatThrownBy(() -> quarantine.remove(List.of(3L, 13L, 23L))).isInstanceOf(QuarantineException.class);
        assertThat(ids()).hasSize(18).doesNotContain(3L, 23L);
        assertThat(quarantine.remove(List.of(4L, 24L))).isEqualTo(2);
    }

    @Test
    void whatIsNotOpenSaysSoToWhoReadsItAndIsOpenedWhenItCanBe() throws IOException {
        keep(1, 3, 10);
        close();
        Path full = fullFor(4);
        open();
        assertThatThrownBy(this::ids)
                .isInstanceOf(QuarantineException.class)
                .hasMessageContaining("the quarantine can't be opened")
                .hasMessageContaining("No space left");
        assertThatThrownBy(() -> quarantine.newest(ALL, 1, QuarantinedRequest::id))
                .isInstanceOf(QuarantineException.class);
        assertThatThrownBy(() -> quarantine.remove(List.of(1L))).isInstanceOf(QuarantineException.class);

        Files.delete(full);
        quarantine.expire();

        Eventually.eventually(() -> assertThat(quarantine.notice()).isEmpty());
        assertThat(ids()).isEqualTo(range(1, 3));
    }
}
