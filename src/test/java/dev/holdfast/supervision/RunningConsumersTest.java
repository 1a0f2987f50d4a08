package dev.holdfast.supervision;

import static dev.holdfast.Eventually.eventually;
import static dev.holdfast.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.ConfigLoader;
import dev.holdfast.config.ConsumerConfig;
import dev.holdfast.config.HoldfastConfig;
import dev.holdfast.consumer.PushConsumer;
import dev.holdfast.delivery.Delivery;
import dev.holdfast.delivery.LiveListeners;
import dev.holdfast.journal.BrokenJournal;
import dev.holdfast.push.BusinessData;
import dev.holdfast.push.Push;
import dev.holdfast.push.PushWatcher;
import dev.holdfast.tracing.PushTracer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Configurations that follow one another while a consumer is still starting. */
class RunningConsumersTest {
    private static final Duration AT_ONCE = Duration.ofMillis(1);
    private static final List<Promise<Void>> STARTS = new CopyOnWriteArrayList<>();

    @TempDir
    Path directory;

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final Vertx vertx = Vertx.vertx();
    private BrokenJournal journal;
    private Consumers classes;
    private RunningConsumers consumers;

    /** Starts, or doesn't, when the test says so. */
    public static final class Waiting extends PushConsumer {
        @Override
        public Future<?> start() throws Exception {
            Promise<Void> start = Promise.promise();
            Future<?> subscribed = super.start();
            STARTS.add(start);
            return subscribed.compose(done -> start.future());
        }

        @Override
        protected Future<?> handle(Push push) {
            return Future.succeededFuture();
        }
    }

    @BeforeEach
    void open() throws IOException {
        STARTS.clear();
        journal = BrokenJournal.open(directory.resolve("data"), registry);
        Delivery.registerCodecs(vertx);
        Delivery delivery = new Delivery(
                journal.journal(),
                journal.store(),
                registry,
                new BusinessData(null),
                PushWatcher.NONE,
                PushTracer.NONE,
                new LiveListeners(),
                Duration.ofSeconds(10));
        delivery.start(vertx.getOrCreateContext()).await();
        classes = new Consumers(directory.resolve("plugins"));
        consumers = new RunningConsumers(vertx, delivery, new ConsumerVerticles(vertx, classes, config(0), Map.of()));
    }

    @AfterEach
    void close() throws IOException {
        vertx.close().await();
        journal.journal().close();
        journal.store().close();
        classes.close();
    }

    /** Each time it is asked for another one, as each reading of the file makes. */
    private HoldfastConfig config(int number) throws IOException {
        Path file =
                Files.writeString(directory.resolve("holdfast.yaml"), """
                receiver:
                  endpoints: [{name: default, path: /webhook, secrets: [a-secret-of-the-tests-that-is-long]}]
                consumers:
                  - {name: mine, events: ["*"], verticle: "%s", options: {number: %d}}
                """.formatted(Waiting.class.getName(), number));
        return ConfigLoader.read(file, Map.of()).config();
    }

    private Future<Void> apply(int number, Duration timeout) throws IOException {
        int before = STARTS.size();
        Future<Void> applied = consumers.apply(config(number).consumers(), timeout);
        until(() -> STARTS.size() > before);
        return applied;
    }

    @Test
    void aStartThatFailsLateTakesNoLaterOneOfTheSameConfigurationBack() throws IOException {
        apply(0, AT_ONCE);
        STARTS.get(0).complete();
        eventually(() -> assertThat(consumers.away()).isEmpty());
        Future<Void> first = apply(1, Duration.ofMinutes(1));
        apply(0, AT_ONCE);
        STARTS.get(2).complete();
        eventually(() -> assertThat(consumers.away()).isEmpty());
        apply(1, AT_ONCE);

        STARTS.get(1).fail("no database");
        until(first::isComplete);
        STARTS.get(3).complete();

        eventually(() -> assertThat(consumers.away()).isEmpty());
        assertThat(consumers.areKnown(config(1).consumers())).isTrue();
    }

    /** As a reload puts it back that is refused. */
    @Test
    void aStartThatFailsLateIsNotTriedAgainBesideOneOfTheVerySameConfiguration() throws IOException {
        List<ConsumerConfig> before = config(0).consumers();
        Future<Void> first = consumers.apply(before, Duration.ofMinutes(1));
        until(() -> STARTS.size() == 1);
        apply(1, AT_ONCE);
        var unused = consumers.apply(before, AT_ONCE);
        until(() -> STARTS.size() == 3);

        STARTS.get(0).fail("no database");
        until(first::isComplete);

        assertThat(consumers.away()).as("still starting").containsExactly(Map.entry("mine", ""));
        STARTS.get(2).complete();
        eventually(() -> assertThat(consumers.away()).isEmpty());
    }

    @Test
    void aChangeThatFailsAtOnceIsRefusedThoughTheOneBeforeTakesLongToComeBack() throws IOException {
        apply(0, AT_ONCE);
        STARTS.get(0).complete();
        eventually(() -> assertThat(consumers.away()).isEmpty());
        Future<Void> changed = apply(1, Duration.ofSeconds(10));

        STARTS.get(1).fail("no database");
        until(changed::isComplete);

        assertThat(changed.failed()).isTrue();
        until(() -> STARTS.size() == 3);
        STARTS.get(2).complete();
        eventually(() -> assertThat(consumers.away()).isEmpty());
        assertThat(consumers.areKnown(config(0).consumers())).isTrue();
    }
}
