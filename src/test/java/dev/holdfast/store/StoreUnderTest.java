package dev.holdfast.store;

import dev.holdfast.config.DeadLettersConfig;
import dev.holdfast.push.Envelope;
import dev.holdfast.push.PushRecord;
import dev.holdfast.push.RequestHead;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;

/** A real store in a directory, whose synced writes can be made to fail. */
final class StoreUnderTest implements AutoCloseable {
    static final DeadLettersConfig BOUNDS = new DeadLettersConfig(1_000, Duration.ofDays(30));

    final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    /** What each write fails with from now on; null: none does. */
    final AtomicReference<RocksDBException> failure = new AtomicReference<>();

    final RocksStore store;

    private StoreUnderTest(Path data, DeadLettersConfig bounds, Clock clock, LongSupplier nanoTime) {
        store = new RocksStore(data, registry, bounds, clock, nanoTime, this::write);
    }

    static StoreUnderTest in(Path data) {
        return in(data, BOUNDS, Clock.systemUTC());
    }

    static StoreUnderTest in(Path data, DeadLettersConfig bounds, Clock clock) {
        return new StoreUnderTest(data, bounds, clock, System::nanoTime);
    }

    static StoreUnderTest in(Path data, Clock clock, LongSupplier nanoTime) {
        return new StoreUnderTest(data, BOUNDS, clock, nanoTime);
    }

    private void write(Database database, WriteBatch batch) throws RocksDBException {
        RocksDBException thrown = failure.get();
        if (thrown != null) {
            throw thrown;
        }
        database.writeSynced(batch);
    }

    /** Puts something into a closed store behind its back. */
    static void put(Path data, Group.Change change) {
        try {
            Database database = Database.open(data.resolve("store"), ColumnFamily::layout);
            try (Group group = new Group(database)) {
                change.addTo(group);
                database.writeSynced(group.batch());
            } finally {
                database.close();
            }
        } catch (RocksDBException e) {
            throw new AssertionError(e);
        }
    }

    double count(String meter) {
        return registry.get(meter).counter().count();
    }

    static void within(CompletionStage<?> done) {
        done.toCompletableFuture().orTimeout(30, TimeUnit.SECONDS).join();
    }

    void checkpoint(String consumer, long position, List<BlockedPush> blocked, List<BlockedPush.Key> released) {
        within(store.positions().save(new Checkpoint(consumer, position, blocked, released)));
    }

    static BlockedPush waits(String lane, long seq) {
        return new BlockedPush(new BlockedPush.Key(lane, seq), null);
    }

    static BlockedPush failed(String lane, long seq, int attempts) {
        return new BlockedPush(
                new BlockedPush.Key(lane, seq),
                new BlockedPush.RetryState(
                        attempts,
                        attempts - 1,
                        new DeadLetter.Failure(17, "it was ✗"),
                        new DeadLetter.Failure(18, "still"),
                        19));
    }

    static DeadLetter letter(String consumer, long seq, long at) {
        Envelope envelope = new Envelope("sub_e_1", "client.created", "ent", 1L, null);
        byte[] body = ("body " + seq).getBytes(StandardCharsets.UTF_8);
        PushRecord push =
                new PushRecord(seq, "default", envelope, 5, new RequestHead("sig", "application/json", "", ""), body);
        DeadLetter.Failure failure = new DeadLetter.Failure(at, "it was ✗");
        return new DeadLetter(consumer, push, 7, failure, failure);
    }

    List<Long> letters(String consumer) {
        return store.deadLetters().list(consumer, 0, 10_000).stream()
                .map(letter -> letter.push().seq())
                .toList();
    }

    @Override
    public void close() {
        store.close();
    }
}
