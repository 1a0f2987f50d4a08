package dev.holdfast.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.LogLines;
import dev.holdfast.config.ConsumerConfig;
import dev.holdfast.consumer.ConsumerContext;
import dev.holdfast.journal.TrialJournal;
import dev.holdfast.push.PushFilter;
import dev.holdfast.store.BrokenStore;
import dev.holdfast.store.Replay;
import dev.holdfast.store.RocksStore;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A replay whose place can't be read, for the store is away. */
@Timeout(60)
class RunningReplayLogTest {
    private static final ConsumerConfig CONFIG = Life.consumer("one", 16, Duration.ofMinutes(10));
    private static final Replay REPLAY = new Replay(
            "a1", Replay.Source.JOURNAL, PushFilter.ALL, 1_000, List.of(new Replay.Progress("one", 1, 0, 0)));

    @TempDir
    Path directory;

    @Test
    void thatItCanNotGoOnIsToldAtOnceAndThenSeldom() {
        Vertx vertx = Vertx.vertx();
        try (LogLines log = LogLines.atWarn();
                TrialJournal journal = TrialJournal.open(directory.resolve("journal"), new SimpleMeterRegistry())) {
            RocksStore store = BrokenStore.open(directory.resolve("other"), new SimpleMeterRegistry(), () -> false);
            DeliveryContext delivery = TrialContext.of(vertx, journal, store);
            ConfiguredConsumers configured = new ConfiguredConsumers(delivery, Duration.ofSeconds(10));
            configured.reserve(CONFIG).await();
            configured
                    .add(CONFIG, new ConsumerContext("one", CONFIG.timeout(), "visitor.updated"))
                    .await();
            store.close();
            RunningReplay replay = new RunningReplay(REPLAY, delivery, configured);

            long begin = System.nanoTime();
            for (int i = 0; i < 20; i++) {
                tick(replay, delivery);
            }

            int atMost = 1 + (int) TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begin) / 2;
            assertThat(log.lines().stream().filter(line -> line.contains("replay a1: one can't go on yet")))
                    .hasSizeBetween(1, atMost)
                    .noneMatch(line -> line.contains("\tat "));
        } finally {
            vertx.close().await();
        }
    }

    /** Once, and waits until what was read has come back: one thread reads, in turn. */
    private static void tick(RunningReplay replay, DeliveryContext delivery) {
        delivery.onContext(() -> {
                    replay.tick();
                    return delivery.reading(() -> "read");
                })
                .compose(read -> delivery.onContext(() -> Future.succeededFuture()))
                .await();
    }
}
