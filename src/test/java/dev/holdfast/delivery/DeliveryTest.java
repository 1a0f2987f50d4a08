package dev.holdfast.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.ConsumerConfig;
import dev.holdfast.config.RetryConfig;
import dev.holdfast.consumer.ConsumerContext;
import dev.holdfast.journal.Journal;
import dev.holdfast.journal.JournalException;
import dev.holdfast.journal.RocksJournal;
import dev.holdfast.push.BusinessData;
import dev.holdfast.push.Envelope;
import dev.holdfast.push.PushRecord;
import dev.holdfast.push.PushWatcher;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the journal must keep for consumers that can't be delivered to. */
@Timeout(60)
class DeliveryTest {
    private static final ConsumerConfig CONFIG = new ConsumerConfig(
            "absent",
            List.of("*"),
            "log",
            ConsumerConfig.Start.EARLIEST,
            List.of(),
            16,
            1,
            Duration.ofSeconds(1),
            new RetryConfig(Duration.ofMillis(10), 2, Duration.ofMillis(100), 0),
            Map.of());

    @TempDir
    Path directory;

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final Vertx vertx = Vertx.vertx();
    private Journal journal;
    private Delivery delivery;

    @BeforeEach
    void start() {
        Delivery.registerCodecs(vertx);
        journal = RocksJournal.open(directory, registry);
        delivery = new Delivery(journal, registry, new BusinessData(null), PushWatcher.NONE, Duration.ofSeconds(30));
        vertx.deployVerticle(delivery).await();
    }

    @AfterEach
    void stop() {
        vertx.close().await();
        journal.close();
    }

    private void append() {
        Envelope envelope = new Envelope("", "client.created", "", null, null);
        CompletableFuture<Long> stored = new CompletableFuture<>();
        journal.append(new PushRecord(0, "default", envelope, 0, "", "", new byte[1]), new Journal.Outcome() {
            @Override
            public void stored(long seq, boolean duplicate) {
                stored.complete(seq);
            }

            @Override
            public void failed(JournalException cause) {
                stored.completeExceptionally(cause);
            }
        });
        stored.join();
    }

    private void add() {
        delivery.add(CONFIG, new ConsumerContext("absent", CONFIG.timeout(), "visitor.updated"))
                .await();
    }

    @Test
    void pushesAreKeptForAConsumerThatIsNotThereYetAndForOneThatIsPaused() {
        add();
        append();
        assertThat(delivery.neededFrom()).isEqualTo(1);

        delivery.pause("absent").await();
        assertThat(delivery.neededFrom()).isEqualTo(1);

        add();
        assertThat(delivery.neededFrom()).isEqualTo(1);
    }

    @Test
    void nothingIsKeptForAConsumerThatWasRemoved() {
        add();
        append();

        delivery.remove("absent").await();
        assertThat(delivery.neededFrom()).isEqualTo(Long.MAX_VALUE);

        add();
        delivery.pause("absent").await();
        delivery.remove("absent").await();
        assertThat(delivery.neededFrom()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void pushesAreKeptForEveryoneWhileTheDeliveryFinishes() {
        add();
        append();

        delivery.finish().await();

        assertThat(delivery.neededFrom()).isEqualTo(1);
    }

    @Test
    void pushesAreKeptForAConsumerFromTheMomentItsPlaceIsReserved() {
        append();
        delivery.reserve(CONFIG).await();

        assertThat(delivery.neededFrom()).isEqualTo(1);
    }
}
