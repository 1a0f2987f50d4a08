package dev.holdfast.journal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.DeadLettersConfig;
import dev.holdfast.store.BlockedPush;
import dev.holdfast.store.Checkpoint;
import dev.holdfast.store.DeadLetter;
import dev.holdfast.store.RocksStore;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KnownPositionsTest {
    @TempDir
    private Path data;

    /** A new push at one of these would be taken for the one before: as blocked, or as a dead letter that is not delivered. */
    @Test
    void whatIsBlockedOrADeadLetterBeyondAPositionIsKnown() {
        DeadLettersConfig bounds = new DeadLettersConfig(10, Duration.ofDays(1));
        try (RocksStore store = RocksStore.open(data, new SimpleMeterRegistry(), bounds)) {
            assertThat(KnownPositions.newest(store)).isZero();
            BlockedPush blocked = new BlockedPush(new BlockedPush.Key("lane", 9), null);
            store.positions()
                    .save(new Checkpoint("one", 5, List.of(blocked), List.of()))
                    .toCompletableFuture()
                    .join();
            assertThat(KnownPositions.newest(store)).isEqualTo(9);
            DeadLetter.Failure failure = new DeadLetter.Failure(System.currentTimeMillis(), "refused");

            store.deadLetters()
                    .save(new DeadLetter("one", AppendResults.push("dead").at(12), 1, failure, failure))
                    .toCompletableFuture()
                    .join();

            assertThat(KnownPositions.newest(store)).isEqualTo(12);
        }
    }
}
