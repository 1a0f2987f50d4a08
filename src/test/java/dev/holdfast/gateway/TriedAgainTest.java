package dev.holdfast.gateway;

import static dev.holdfast.Eventually.eventually;
import static dev.holdfast.gateway.GatewayUnderTest.envelope;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.LogLines;
import dev.holdfast.Storage;
import dev.holdfast.journal.BrokenJournal;
import io.vertx.core.Future;
import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A consumer that could not be started, and what becomes of it on later tries. */
@Timeout(60)
class TriedAgainTest {
    private static final AtomicInteger MADE = new AtomicInteger();
    private static final AtomicBoolean UP = new AtomicBoolean();
    private static final List<WeakReference<NeverStarts>> NEVER_STARTED = new CopyOnWriteArrayList<>();
    private static final List<BrokenJournal> JOURNALS = new CopyOnWriteArrayList<>();

    @TempDir
    Path directory;

    private final Deliveries deliveries = new Deliveries();

    /** Is made, but can't start while its database is down; then it can't even be made. */
    public static final class NeedsDatabaseEarly extends RecordingConsumer {
        public NeedsDatabaseEarly() {
            if (MADE.incrementAndGet() == 2) {
                throw new IllegalStateException("connection refused");
            }
        }

        @Override
        public Future<?> start() throws Exception {
            return UP.get() ? super.start() : Future.failedFuture("connection refused");
        }
    }

    /** Finds out what is wrong with its configuration only when its database is up. */
    public static final class FindsOutLate extends RecordingConsumer {
        public FindsOutLate() {}

        @Override
        public Future<?> start() {
            return MADE.incrementAndGet() == 1
                    ? Future.failedFuture("connection refused")
                    : Future.failedFuture(new IllegalArgumentException("options.table: found none, expected a table"));
        }
    }

    /** What is left of it is to be seen. */
    public static final class NeverStarts extends RecordingConsumer {
        public NeverStarts() {
            NEVER_STARTED.add(new WeakReference<>(this));
        }

        @Override
        public Future<?> start() {
            return Future.failedFuture("connection refused");
        }
    }

    @BeforeEach
    void forget() {
        NEVER_STARTED.clear();
        JOURNALS.clear();
        MADE.set(0);
        UP.set(false);
    }

    private GatewayUnderTest start(Class<?> verticle) {
        return GatewayUnderTest.start(
                new GatewaySettings().consumer("mine", "*", verticle.getName(), deliveries), directory);
    }

    @Test
    void aConsumerWhoseConstructorFailsLaterIsTriedAgainAllTheSame() {
        try (GatewayUnderTest gateway = start(NeedsDatabaseEarly.class)) {
            gateway.push(envelope("client.created", "ent-1", 1));
            eventually(() -> assertThat(MADE).hasValueGreaterThanOrEqualTo(2));
            UP.set(true);

            eventually(() -> assertThat(deliveries.handled()).hasSize(1));
        }
    }

    /** It may be tried again every minute for weeks. */
    @Test
    void nothingIsLeftOfAConsumerThatCouldNotStart() {
        try (GatewayUnderTest gateway = start(NeverStarts.class)) {
            assertThat(gateway.isReady()).isTrue();
            eventually(() -> assertThat(NEVER_STARTED).hasSizeGreaterThanOrEqualTo(2));

            eventually(() -> {
                System.gc();
                assertThat(NEVER_STARTED.get(0).get()).isNull();
            });
        }
    }

    @Test
    void aMistakeThatShowsOnALaterTryIsLogged() {
        try (LogLines log = LogLines.atWarn();
                GatewayUnderTest gateway = start(FindsOutLate.class)) {
            assertThat(gateway.isReady()).isTrue();

            eventually(() -> assertThat(log.lines())
                    .anyMatch(line -> line.startsWith("ERROR")
                            && line.contains("consumer mine can't be started: options.table: found none")
                            && line.contains("not tried again")));
        }
    }

    @Test
    void aConsumerWhosePlaceCouldNotBeKeptIsTriedAgain() {
        GatewaySettings settings = new GatewaySettings().consumer("mine", "*", deliveries);
        Storage.Opener opener = (config, registry) -> {
            BrokenJournal broken = BrokenJournal.open(config.journal().directory(), registry);
            JOURNALS.add(broken);
            broken.breakWrites();
            return new Storage(broken.journal(), broken.store());
        };
        try (LogLines log = LogLines.atWarn();
                GatewayUnderTest gateway = GatewayUnderTest.start(settings, directory, opener)) {
            assertThat(log.text()).contains("consumer mine can't be started, next try in");
            JOURNALS.forEach(BrokenJournal::mend);

            eventually(
                    () -> assertThat(gateway.push(envelope("client.created", 1)).status())
                            .isEqualTo(200));
            eventually(() -> assertThat(deliveries.handled()).isNotEmpty());
        }
    }
}
