package dev.holdfast.store;

import static dev.holdfast.store.StoreUnderTest.failed;
import static dev.holdfast.store.StoreUnderTest.waits;
import static dev.holdfast.store.StoreUnderTest.within;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PositionsTest {
    @TempDir
    private Path data;

    private StoreUnderTest test;

    @BeforeEach
    void open() {
        test = StoreUnderTest.in(data);
    }

    @AfterEach
    void close() {
        test.close();
    }

    private void reopen() {
        close();
        open();
    }

    private BlockedPushes blocked() {
        return test.store.blockedPushes();
    }

    @Test
    void aPositionAndWhatIsBlockedBelowItComeBackAsTheyWere() {
        test.checkpoint("mine", 9, List.of(failed("a", 3, 2), waits("a", 5), waits("b", 4)), List.of());
        test.checkpoint("other", 7, List.of(), List.of());
        reopen();

        assertThat(test.store.positions().all()).isEqualTo(Map.of("mine", 9L, "other", 7L));
        assertThat(blocked().firstOfEachLane("mine", 10)).containsExactly(failed("a", 3, 2), waits("b", 4));
        assertThat(blocked().firstOfEachLane("mine", 1)).containsExactly(failed("a", 3, 2));
        assertThat(blocked().ofLane("mine", "a", 0, 10)).containsExactly(failed("a", 3, 2), waits("a", 5));
        assertThat(blocked().ofLane("mine", "a", 4, 10)).containsExactly(waits("a", 5));
        assertThat(blocked().ofLane("mine", "a", 0, 1)).containsExactly(failed("a", 3, 2));
        assertThat(blocked().lastOfEachLane("mine")).containsExactly(5L, 4L);
        assertThat(blocked().neededFrom("mine")).isEqualTo(3);
        assertThat(blocked().count("mine")).isEqualTo(3);
        assertThat(blocked().neededFrom("other")).isEqualTo(8);
        assertThat(blocked().firstOfEachLane("other", 10)).isEmpty();
        assertThat(blocked().lastOfEachLane("other")).isEmpty();
    }

    @Test
    void whatIsBlockedIsToBeHadInTheOrderOfPositionsWhateverItsLane() {
        test.checkpoint("mine", 9, List.of(failed("b", 3, 2), waits("b", 300), waits("a", 4), waits("", 5)), List.of());
        test.checkpoint("mine, too", 9, List.of(waits("a", 1)), List.of());
        reopen();

        List<BlockedPush.Key> all = List.of(
                new BlockedPush.Key("b", 3),
                new BlockedPush.Key("a", 4),
                new BlockedPush.Key("", 5),
                new BlockedPush.Key("b", 300));
        assertThat(blocked().keys("mine", 10)).isEqualTo(all);
        assertThat(blocked().keys("mine", 2)).isEqualTo(all.subList(0, 2));
        assertThat(blocked().keys("nobody", 10)).isEmpty();
        test.checkpoint("mine", 10, List.of(), all.subList(0, 3));
        assertThat(blocked().keys("mine", 10)).isEqualTo(all.subList(3, 4));
    }

    @Test
    void whatIsNotedAnewAndMerelyWaitsKeepsItsAttempts() {
        test.checkpoint("mine", 9, List.of(failed("a", 3, 2)), List.of());
        test.checkpoint("mine", 9, List.of(waits("a", 3)), List.of());
        assertThat(blocked().at("mine", 3)).contains(failed("a", 3, 2));

        test.checkpoint("mine", 9, List.of(waits("a", 3)), List.of(new BlockedPush.Key("a", 3)));
        assertThat(blocked().at("mine", 3)).contains(waits("a", 3));
    }

    @Test
    void whatIsReleasedIsNoLongerBlocked() {
        test.checkpoint("mine", 9, List.of(failed("a", 3, 2), waits("a", 5), waits("b", 4)), List.of());

        test.checkpoint("mine", 10, List.of(failed("a", 5, 1)), List.of(new BlockedPush.Key("a", 3)));

        assertThat(blocked().at("mine", 3)).isEmpty();
        assertThat(blocked().neededFrom("mine")).isEqualTo(4);
        assertThat(blocked().count("mine")).isEqualTo(2);
        assertThat(blocked().ofLane("mine", "a", 0, 10)).containsExactly(failed("a", 5, 1));
        test.checkpoint("mine", 10, List.of(), List.of(new BlockedPush.Key("b", 4), new BlockedPush.Key("a", 5)));
        assertThat(blocked().neededFrom("mine")).isEqualTo(11);
        assertThat(blocked().count("mine")).isZero();
    }

    @Test
    void aLowestOneThatCouldNotBeLookedUpIsLookedUpWithTheNextGroup() throws IOException {
        test.checkpoint("mine", 9, List.of(waits("a", 3), waits("a", 5)), List.of());
        // What the log has goes into tables.
        reopen();
        Path table = tableOf("blocked-by-seq");
        byte[] whole = Files.readAllBytes(table);
        byte[] damaged = whole.clone();
        damaged[3] ^= 1;
        Files.write(table, damaged);
        test.checkpoint("mine", 10, List.of(), List.of(new BlockedPush.Key("a", 3)));
        assertThat(blocked().neededFrom("mine")).isEqualTo(3);

        Files.write(table, whole);
        test.checkpoint("mine", 11, List.of(), List.of());

        assertThat(blocked().neededFrom("mine")).isEqualTo(5);
    }

    /** Each says in its own bytes which family it is of. */
    private Path tableOf(String family) throws IOException {
        try (Stream<Path> files = Files.list(data.resolve("store"))) {
            for (Path file : (Iterable<Path>) files.filter(one -> one.toString().endsWith(".sst"))::iterator) {
                if (Files.readString(file, StandardCharsets.ISO_8859_1).contains(family)) {
                    return file;
                }
            }
        }
        throw new AssertionError("no table of " + family);
    }

    @Test
    void aConsumerThatIsForgottenBeginsWithNothing() {
        test.checkpoint("mine", 9, List.of(waits("a", 3), waits("a", 4)), List.of());
        test.checkpoint("mine2", 9, List.of(waits("a", 3)), List.of());

        // In one group, as a rule.
        CompletionStage<Void> removed = test.store.positions().remove("mine");
        CompletionStage<Void> noted =
                test.store.positions().save(new Checkpoint("mine", 11, List.of(waits("b", 11)), List.of()));
        test.checkpoint("mine", 12, List.of(waits("a", 3)), List.of(new BlockedPush.Key("a", 4)));
        within(removed);
        within(noted);
        reopen();

        assertThat(test.store.positions().all()).isEqualTo(Map.of("mine", 12L, "mine2", 9L));
        assertThat(blocked().count("mine")).isEqualTo(2);
        assertThat(blocked().firstOfEachLane("mine", 10)).containsExactly(waits("a", 3), waits("b", 11));
        assertThat(blocked().keys("mine", 10)).hasSize(2);
        assertThat(blocked().count("mine2")).isEqualTo(1);
    }

    @Test
    void anyTextMayNameALaneAndLanesAreInTheOrderOfTheirNames() {
        List<String> lanes = new ArrayList<>(List.of(
                "\0", "\0\0", "\1", "\2", "a", "a\0", "a\0b", "a\1", "é", "ÿ", "\u0800", "\ud800", "\udfff", "\uffff",
                "😀"));
        lanes.sort(null);
        long seq = 100;
        List<BlockedPush> pushes = new ArrayList<>();
        for (String lane : lanes) {
            pushes.add(waits(lane, seq--));
        }
        test.checkpoint("mine", 200, pushes, List.of());

        assertThat(blocked().firstOfEachLane("mine", 100)).isEqualTo(pushes);
        for (int i = 0; i < lanes.size(); i++) {
            assertThat(blocked().ofLane("mine", lanes.get(i), 0, 10)).containsExactly(pushes.get(i));
        }
        assertThat(blocked().lastOfEachLane("mine"))
                .isEqualTo(pushes.stream().map(push -> push.key().seq()).toList());
    }

    @Test
    void whateverIsNotedAndReleasedInWhateverGroupsIsWhatIsThere() {
        Random random = new Random(7);
        for (int round = 0; round < 20; round++) {
            TreeMap<Long, BlockedPush> expected = new TreeMap<>();
            String consumer = "c" + round;
            List<CompletionStage<Void>> saved = new ArrayList<>();
            for (int step = 0; step < 30; step++) {
                saved.add(test.store.positions().save(step(random, consumer, step, expected)));
            }
            saved.forEach(StoreUnderTest::within);
            if (round % 5 == 0) {
                reopen();
            }

            assertThat(blocked().count(consumer)).isEqualTo(expected.size());
            long next = test.store.positions().all().getOrDefault(consumer, 0L) + 1;
            assertThat(blocked().neededFrom(consumer))
                    .isEqualTo(expected.isEmpty() ? next : Math.min(next, expected.firstKey()));
            List<BlockedPush> found = new ArrayList<>();
            for (BlockedPush first : blocked().firstOfEachLane(consumer, 100)) {
                found.addAll(blocked().ofLane(consumer, first.key().lane(), 0, 100));
            }
            assertThat(found).containsExactlyInAnyOrderElementsOf(expected.values());
        }
    }

    private static Checkpoint step(Random random, String consumer, int step, Map<Long, BlockedPush> expected) {
        List<BlockedPush> noted = new ArrayList<>();
        List<BlockedPush.Key> released = new ArrayList<>();
        for (int i = 0; i < random.nextInt(4); i++) {
            long seq = random.nextInt(40);
            BlockedPush push = failed("lane" + seq % 3, seq, step + 1);
            if (random.nextBoolean()) {
                noted.add(push);
                expected.put(seq, push);
            } else if (noted.stream().noneMatch(other -> other.key().equals(push.key()))) {
                released.add(push.key());
                expected.remove(seq);
            }
        }
        released.removeIf(key -> noted.stream().anyMatch(push -> push.key().equals(key)));
        return new Checkpoint(consumer, step, noted, released);
    }
}
