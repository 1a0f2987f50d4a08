package dev.holdfast.store;

import static dev.holdfast.store.StoreUnderTest.failed;
import static dev.holdfast.store.StoreUnderTest.letter;
import static dev.holdfast.store.StoreUnderTest.waits;
import static dev.holdfast.store.StoreUnderTest.within;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.FileTree;
import dev.holdfast.push.PushFilter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A store that the first version wrote, tables and a log, which every later one must open. */
class StoreFixtureTest {
    private static final Path FIXTURE = Path.of("src/test/resources/store-format-1");
    private static final Replay REPLAY = new Replay(
            "a1",
            Replay.Source.JOURNAL,
            new PushFilter(1, 9, null, "client.*", 0, Long.MAX_VALUE),
            500,
            List.of(new Replay.Progress("mine", 7, 2, 1)));

    @TempDir
    private Path directory;

    private static StoreUnderTest open(Path data) {
        Clock clock = Clock.fixed(Instant.ofEpochMilli(99), ZoneOffset.UTC);
        return StoreUnderTest.in(data, StoreUnderTest.BOUNDS, clock);
    }

    @Test
    void theStoreOfTheFirstVersionOpens() throws IOException {
        Path data = directory.resolve("data");
        FileTree.copy(FIXTURE, data);

        try (StoreUnderTest test = open(data)) {
            assertThat(test.store.notice()).isEmpty();
            assertThat(test.store.positions().all()).isEqualTo(Map.of("mine", 9L, "other", 12L));
            BlockedPushes blocked = test.store.blockedPushes();
            assertThat(blocked.firstOfEachLane("mine", 10)).containsExactly(failed("a", 3, 2), waits("b\0é", 4));
            assertThat(blocked.ofLane("mine", "a", 0, 10)).containsExactly(failed("a", 3, 2), waits("a", 5));
            assertThat(blocked.neededFrom("mine")).isEqualTo(3);
            assertThat(blocked.count("mine")).isEqualTo(3);
            assertThat(blocked.neededFrom("other")).isEqualTo(11);
            DeadLetter kept = test.store.deadLetters().list("mine", 0, 10).get(0);
            assertThat(kept).usingRecursiveComparison().isEqualTo(letter("mine", 2, 50));
            assertThat(test.store.deadLetters().count("mine")).isEqualTo(1);
            assertThat(test.store.deadLetters().discards(null, 10))
                    .containsExactly(new Discard("mine", 1, "client.created", 99, "a test of ours"));
            assertThat(test.store.replays().all()).containsExactly(REPLAY);
            assertThat(test.store.audit().newest(Long.MAX_VALUE, 10)).isEmpty();
            assertThat(test.store.digests().find(7)).isEqualTo(3);
            assertThat(test.store.digests().find(11)).isEqualTo(4);
            assertThat(test.store.digests().upTo()).isEqualTo(4);
        }
    }

    /** How the fixture was made. */
    public static void main(String[] arguments) throws IOException {
        Path data = Files.createTempDirectory("store").resolve("data");
        try (StoreUnderTest test = open(data)) {
            List<BlockedPush> blocked = List.of(failed("a", 3, 2), waits("a", 5), waits("b\0é", 4), waits("c", 6));
            test.checkpoint("mine", 8, blocked, List.of());
            within(test.store.deadLetters().save(letter("mine", 1, 50)));
            within(test.store.deadLetters().save(letter("mine", 2, 50)));
            within(test.store.replays().save(REPLAY));
            test.store.digests().add(new long[] {7, 8, 7}, new long[] {1, 2, 3}, 3, 3);
        }
        // What is in the log goes into tables at the next opening.
        try (StoreUnderTest test = open(data)) {
            test.checkpoint("mine", 9, List.of(), List.of(new BlockedPush.Key("c", 6)));
            test.checkpoint("other", 12, List.of(waits("", 11)), List.of());
            within(test.store.deadLetters().discard("mine", 1, "a test of ours"));
            test.store.digests().add(new long[] {11}, new long[] {4}, 1, 4);
        }
        FileTree.copy(data, FIXTURE, StoreFixtureTest::isPart);
    }

    private static boolean isPart(Path file) {
        return !String.valueOf(file.getFileName()).matches("LO.*|OPTIONS.*");
    }
}
