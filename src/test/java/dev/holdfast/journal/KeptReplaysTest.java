package dev.holdfast.journal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.LogLines;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeptReplaysTest {
    private static final Progress PROGRESS = new Progress(7, "/client/id", Map.of("default\none\nv:1", 3L));
    private static final Replay REPLAY = new Replay(
            "a1",
            Replay.Source.DEAD_LETTERS,
            new PushFilter(1, 9, null, "client.*", 0, Long.MAX_VALUE),
            500,
            List.of(new Replay.Leg("mine", PROGRESS, 2, 1)));

    @TempDir
    private Path directory;

    private RocksJournal open() {
        return RocksJournal.open(directory, new SimpleMeterRegistry());
    }

    @Test
    void aReplayComesBackAsItWasUntilItIsRemoved() {
        try (RocksJournal journal = open()) {
            journal.saveReplay(REPLAY).toCompletableFuture().join();
        }
        try (RocksJournal journal = open()) {
            assertThat(journal.replays()).containsExactly(REPLAY);

            journal.removeReplay("a1").toCompletableFuture().join();

            assertThat(journal.replays()).isEmpty();
        }
    }

    @Test
    void oneThatCantBeReadIsToldAndPassedOver() {
        try (RocksJournal journal = open();
                LogLines log = LogLines.atWarn()) {
            byte[] newer = "{\"id\":\"a0\",\"colour\":\"red\"}".getBytes(StandardCharsets.UTF_8);
            journal.keep(Family.REPLAYS, ReplayForm.key("a0"), newer)
                    .toCompletableFuture()
                    .join();
            journal.saveReplay(REPLAY).toCompletableFuture().join();

            assertThat(journal.replays()).containsExactly(REPLAY);
            assertThat(log.text()).contains("a replay in the journal is passed over");
        }
    }
}
