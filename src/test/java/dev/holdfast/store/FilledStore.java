package dev.holdfast.store;

import static dev.holdfast.store.StoreUnderTest.failed;
import static dev.holdfast.store.StoreUnderTest.letter;
import static dev.holdfast.store.StoreUnderTest.waits;
import static dev.holdfast.store.StoreUnderTest.within;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.LogLines;
import dev.holdfast.push.PushFilter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A store with something of each kind in it. */
record FilledStore(Path data) {
    private static final Replay REPLAY = new Replay(
            "a1",
            Replay.Source.DEAD_LETTERS,
            new PushFilter(1, 9, null, "client.*", 0, Long.MAX_VALUE),
            500,
            List.of(new Replay.Progress("mine", 5, 2, 1)));

    static void fill(StoreUnderTest test) {
        test.checkpoint("mine", 9, List.of(failed("a", 3, 2), waits("a", 5)), List.of());
        within(test.store.deadLetters().save(letter("mine", 2, 50)));
        within(test.store.replays().save(REPLAY));
        test.store.digests().add(new long[] {7, 8, 7}, new long[] {1, 2, 3}, 3, 3);
    }

    static void assertAllThere(StoreUnderTest test) {
        assertThat(test.store.writable()).isTrue();
        assertThat(test.store.notice()).isEmpty();
        assertThat(test.store.positions().all()).isEqualTo(Map.of("mine", 9L));
        assertThat(test.store.blockedPushes().ofLane("mine", "a", 0, 10))
                .containsExactly(failed("a", 3, 2), waits("a", 5));
        assertThat(test.store.blockedPushes().neededFrom("mine")).isEqualTo(3);
        assertThat(test.letters("mine")).containsExactly(2L);
        assertThat(test.store.deadLetters().count("mine")).isEqualTo(1);
        assertThat(test.store.replays().all()).containsExactly(REPLAY);
        assertThat(test.store.digests().find(7)).isEqualTo(3);
        assertThat(test.store.digests().find(8)).isEqualTo(2);
        assertThat(test.store.digests().find(9)).isZero();
        assertThat(test.store.digests().upTo()).isEqualTo(3);
    }

    static void assertNothingThere(StoreUnderTest test) {
        assertThat(test.store.writable()).isTrue();
        assertThat(test.store.positions().all()).isEmpty();
        assertThat(test.store.blockedPushes().firstOfEachLane("mine", 10)).isEmpty();
        assertThat(test.letters("mine")).isEmpty();
        assertThat(test.store.replays().all()).isEmpty();
    }

    Path store() {
        return data.resolve("store");
    }

    Path one(String pattern) throws IOException {
        try (Stream<Path> files = Files.list(store())) {
            return files.filter(file -> file.getFileName().toString().matches(pattern))
                    .max((a, b) -> Long.compare(a.toFile().length(), b.toFile().length()))
                    .orElseThrow();
        }
    }

    List<String> setAside() throws IOException {
        try (Stream<Path> files = Files.list(data)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.startsWith("store.damaged-"))
                    .toList();
        }
    }

    /** Opened twice: what was in the log is in tables then. */
    void withTables() {
        try (StoreUnderTest test = StoreUnderTest.in(data)) {
            fill(test);
        }
        StoreUnderTest.in(data).close();
    }

    void assertMadeAnew() throws IOException {
        try (LogLines lines = LogLines.atWarn();
                StoreUnderTest test = StoreUnderTest.in(data)) {
            assertNothingThere(test);
            assertThat(setAside()).hasSize(1);
            assertThat(test.store.notice()).contains(setAside().get(0), "made anew");
            assertThat(lines.text()).contains("is damaged", setAside().get(0));
            assertThat(test.count("holdfast.store.set.aside")).isEqualTo(1);
            assertThat(test.store.digests().find(8)).isEqualTo(2);
            fill(test);
        }
        try (StoreUnderTest test = StoreUnderTest.in(data)) {
            assertAllThere(test);
        }
    }

    static void assertFails(StoreUnderTest test) {
        assertThatThrownBy(() -> test.checkpoint("mine", 10, List.of(), List.of()))
                .hasCauseInstanceOf(StoreException.class);
    }
}
