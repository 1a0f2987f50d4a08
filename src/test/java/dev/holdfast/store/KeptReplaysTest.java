package dev.holdfast.store;

import static dev.holdfast.store.StoreUnderTest.within;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.LogLines;
import dev.holdfast.push.PushFilter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeptReplaysTest {
    private static final Replay REPLAY = new Replay(
            "a1",
            Replay.Source.DEAD_LETTERS,
            new PushFilter(1, 9, null, "client.*", 0, Long.MAX_VALUE),
            500,
            List.of(new Replay.Progress("mine", 7, 2, 1)));

    @TempDir
    private Path directory;

    private StoreUnderTest open() {
        return StoreUnderTest.in(directory);
    }

    @Test
    void aReplayComesBackAsItWasUntilItIsRemoved() {
        try (StoreUnderTest test = open()) {
            within(test.store.replays().save(REPLAY));
        }
        try (StoreUnderTest test = open()) {
            assertThat(test.store.replays().all()).containsExactly(REPLAY);

            within(test.store.replays().remove("a1"));

            assertThat(test.store.replays().all()).isEmpty();
        }
    }

    @Test
    void oneThatCantBeReadIsToldAndPassedOver() {
        try (StoreUnderTest test = open()) {
            within(test.store.replays().save(REPLAY));
        }
        // As a later version might keep one.
        byte[] newer = "{\"id\":\"a0\",\"colour\":\"red\"}".getBytes(StandardCharsets.UTF_8);
        StoreUnderTest.put(directory, group -> group.put(ColumnFamily.REPLAYS, RocksReplays.key("a0"), newer));

        try (StoreUnderTest test = open();
                LogLines log = LogLines.atWarn()) {
            assertThat(test.store.replays().all()).containsExactly(REPLAY);
            assertThat(log.text()).contains("a replay in the store can't be read and is skipped");
        }
    }
}
