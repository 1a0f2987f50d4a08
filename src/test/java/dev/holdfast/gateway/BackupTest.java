package dev.holdfast.gateway;

import static dev.holdfast.Eventually.eventually;
import static dev.holdfast.gateway.DeliveryOrderTest.envelopes;
import static dev.holdfast.gateway.DeliveryOrderTest.push;
import static dev.holdfast.gateway.GatewayUnderTest.envelope;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.FileTree;
import dev.holdfast.Storage;
import dev.holdfast.config.HoldfastConfig;
import dev.holdfast.journal.SmallSegments;
import dev.holdfast.store.RocksStore;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Copies of a data directory, taken as the operating guide says, serve what they have to. */
@Timeout(90)
class BackupTest {
    private static final String CONSUMER = "everything";
    private static final int SENDERS = 4;
    private static final int COPIES = 3;
    /** While the copies from this one on are taken, retention removes what it can. */
    private static final int REMOVED_FROM = 2;

    private static final String PADDING = " ".repeat(20_000);

    @TempDir
    Path directory;

    private final Deliveries deliveries = new Deliveries();
    private final Set<Integer> answered = new ConcurrentSkipListSet<>();
    private final AtomicInteger next = new AtomicInteger();
    private volatile @Nullable Storage storage;

    private static GatewaySettings settings(Deliveries records) {
        return new GatewaySettings().consumer(CONSUMER, "*", records);
    }

    /** With a journal of many small segments. */
    private Storage open(HoldfastConfig config, MeterRegistry registry) {
        Path data = config.journal().directory();
        RocksStore store = RocksStore.open(data, registry, config.deadLetters());
        Storage opened = new Storage(SmallSegments.open(data, store, registry), store);
        storage = opened;
        return opened;
    }

    /** Removes all that the consumer has had: retention, whenever it likes. */
    private void removeHandled() {
        Storage opened = Objects.requireNonNull(storage);
        opened.journal()
                .removeBelow(opened.store().blockedPushes().neededFrom(CONSUMER))
                .toCompletableFuture()
                .join();
    }

    /** Pushes one after the other, each with a number of its own, until told to stop. */
    private void send(GatewayUnderTest gateway, AtomicBoolean stop) {
        try (RawConnection connection = gateway.connect()) {
            while (!stop.get()) {
                int n = next.getAndIncrement();
                byte[] request = GatewayUnderTest.signed(envelope("client.created", "ent-" + n % 5, n) + PADDING);
                if (connection.send(request).answer().status() == 200) {
                    answered.add(n);
                }
            }
        }
    }

    /** As the guide has it: the list is taken once, then the newest file is copied first. */
    private static void backUp(Path data, Path target, Runnable meanwhile) throws IOException {
        Files.createDirectories(target);
        List<Path> segments;
        try (Stream<Path> files = Files.list(data)) {
            segments = files.filter(file -> file.toString().endsWith(".segment"))
                    .sorted(Comparator.reverseOrder())
                    .toList();
        }
        for (Path segment : segments) {
            meanwhile.run();
            try {
                Files.copy(segment, target.resolve(segment.getFileName()));
            } catch (NoSuchFileException removed) {
                // Every consumer has had what was in it.
                return;
            }
        }
    }

    private static int number(byte[] body) {
        return new JsonObject(new String(body, UTF_8)).getInteger("n");
    }

    private static Set<Integer> numbers(Deliveries records) {
        Set<Integer> numbers = new HashSet<>();
        records.handled().forEach(push -> numbers.add(number(push.body().getBytes())));
        return numbers;
    }

    private static Set<Integer> exported(Path data) {
        Set<Integer> numbers = new HashSet<>();
        Verb.offline("journal", "export", "--directory", data.toString())
                .done()
                .lines()
                .forEach(line ->
                        numbers.add(new JsonObject(line).getJsonObject("body").getInteger("n")));
        return numbers;
    }

    @Test
    void copiesOfARunningGatewaysSegmentsHaveEveryPushThatWasAnsweredBeforeAndServeItsConsumers() throws Exception {
        deliveries.behave(push ->
                push.enterpriseToken().equals("ent-3") ? Future.failedFuture("not yet") : Future.succeededFuture());
        AtomicBoolean stop = new AtomicBoolean();
        List<Throwable> failures = new CopyOnWriteArrayList<>();
        List<Set<Integer>> answeredBefore = new CopyOnWriteArrayList<>();
        List<Set<Integer>> handled = new CopyOnWriteArrayList<>();
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings(deliveries), directory, this::open)) {
            List<Thread> senders = IntStream.range(0, SENDERS)
                    .mapToObj(i -> new Thread(() -> send(gateway, stop)))
                    .toList();
            senders.forEach(sender -> sender.setUncaughtExceptionHandler((thread, e) -> failures.add(e)));
            senders.forEach(Thread::start);
            for (int copy = 0; copy < COPIES; copy++) {
                int wanted = 150 * (copy + 1);
                eventually(() -> assertThat(answered).hasSizeGreaterThan(wanted));
                answeredBefore.add(Set.copyOf(answered));
                backUp(
                        directory.resolve("data"),
                        directory.resolve("copy-" + copy + "/data"),
                        copy < REMOVED_FROM ? () -> {} : this::removeHandled);
                handled.add(numbers(deliveries));
            }
            stop.set(true);
            for (Thread sender : senders) {
                sender.join();
            }
        }
        assertThat(failures).isEmpty();

        for (int copy = 0; copy < COPIES; copy++) {
            Path place = directory.resolve("copy-" + copy);
            String data = place.resolve("data").toString();
            Verb.offline("journal", "verify", "--directory", data).done();
            JsonObject inspected =
                    new JsonObject(Verb.offline("journal", "inspect", "--directory", data, "--output", "json")
                            .done());
            assertThat(inspected.getLong("missing")).isZero();
            Set<Integer> wanted = new HashSet<>(answeredBefore.get(copy));
            if (copy < REMOVED_FROM) {
                assertThat(inspected.getJsonArray("segments")).hasSizeGreaterThan(3);
            } else {
                wanted.removeAll(handled.get(copy));
            }
            assertThat(exported(place.resolve("data"))).as("copy %d", copy).containsAll(wanted);
            wanted.removeAll(handled.get(copy));
            served(place, wanted);
        }
    }

    /** A gateway on a copy delivers what its consumer had not handled when it was taken, and takes new pushes. */
    private static void served(Path place, Set<Integer> unhandled) {
        Deliveries restored = new Deliveries();
        Set<Integer> owed = new HashSet<>(unhandled);
        int fresh = 1_000_000;
        owed.add(fresh);
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings(restored), place)) {
            assertThat(gateway.push(envelope("client.created", fresh)).status()).isEqualTo(200);
            eventually(() -> assertThat(numbers(restored)).containsAll(owed));
            assertThat(gateway.metric("holdfast_journal_corrupt_total")).isZero();
            assertThat(gateway.management("/readyz").body()).contains("\"undamaged\":true");
        }
    }

    @Test
    void aStoppedGatewaysDirectoryGoesOnUnderAnotherPathAsIfNothingHadHappened() throws IOException {
        Path other = directory.resolve("other");
        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings(deliveries), directory)) {
            push(gateway, envelopes("client.created", "ent-1", 50));
            eventually(() -> assertThat(deliveries.handled()).hasSize(50));
        }
        FileTree.copy(directory.resolve("data"), other.resolve("data"));

        try (GatewayUnderTest gateway = GatewayUnderTest.start(settings(deliveries), other)) {
            push(gateway, envelopes("client.created", "ent-1", 60));
            eventually(() -> assertThat(deliveries.handled()).hasSize(60));
            assertThat(gateway.metric("holdfast_journal_last_seq")).isEqualTo(60);
        }
        assertThat(deliveries.handledSeqs())
                .isEqualTo(IntStream.rangeClosed(1, 60).mapToObj(Long::valueOf).toList());
    }
}
