package dev.holdfast.journal;

import dev.holdfast.push.PushRecord;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The journal in a directory of this machine, on RocksDB. One thread, {@code journal}, writes; reading goes on beside it.
 * Made by {@link #open}.
 */
public final class RocksJournal implements Journal {
    /** Pushes that may wait for the writer; past it they fail, which tells of a disk that has stopped. */
    private static final int WAITING = 65_536;

    private static final long GROUP_BYTES = 8L << 20;
    private static final long PATIENCE_NANOS = 10_000_000;

    private final Positions positions = new Positions();
    private final Inbox inbox = new Inbox(WAITING, GROUP_BYTES, PATIENCE_NANOS);
    private final PushReader reader;
    private final DeadLetterReader deadLetters;
    private final Writer writer;
    private final Sweep sweep;
    private final Thread thread;

    private RocksJournal(Path directory, MeterRegistry registry, Commit commit) {
        JournalMeters meters = new JournalMeters(registry);
        Losses losses = new Losses(meters.corrupt);
        reader = new PushReader(positions, losses);
        deadLetters = new DeadLetterReader(losses);
        writer = new Writer(directory, inbox, positions, reader, meters, commit);
        sweep = new Sweep(writer, inbox, positions);
        thread = new Thread(writer, "journal");
        writer.open();
        thread.start();
        meters.watch(this);
    }

    /**
     * Opens the journal in {@code directory}, which is made when it is not there, and recovers what it holds. Blocks.
     *
     * @throws JournalException when the directory is in use by another process or can't be recovered
     */
    public static RocksJournal open(Path directory, MeterRegistry registry) {
        return open(directory, registry, Store::commit);
    }

    /** With another way to write: the seam for tests. */
    static RocksJournal open(Path directory, MeterRegistry registry, Commit commit) {
        return new RocksJournal(directory, registry, commit);
    }

    @Override
    public void append(PushRecord push, Outcome outcome) {
        append(push, Digest.of(push), outcome);
    }

    /** With a digest that is already known. */
    void append(PushRecord push, Digest digest, Outcome outcome) {
        offer(new Operation.Append(push, digest, outcome));
    }

    @Override
    public void follow(Follower follower) {
        writer.follow(follower);
    }

    @Override
    public List<PushRecord> read(long from, int maxPushes, long maxBytes) {
        long to = lastSeq();
        List<PushRecord> found = new ArrayList<>();
        long[] bytes = {0};
        return store().reading(store -> {
            reader.scan(store, Math.max(from, firstSeq()), to, push -> {
                found.add(push);
                bytes[0] += push.body().length;
                return found.size() < maxPushes && bytes[0] < maxBytes;
            });
            return found;
        });
    }

    @Override
    public Optional<PushRecord> get(long seq) {
        if (seq < firstSeq() || seq > lastSeq()) {
            return Optional.empty();
        }
        return store().reading(store -> Optional.ofNullable(reader.get(store, seq)));
    }

    @Override
    public long firstSeq() {
        return positions.first();
    }

    @Override
    public long lastSeq() {
        return positions.last();
    }

    @Override
    public Map<String, Progress> cursors() {
        return positions.cursors();
    }

    @Override
    public CompletionStage<Void> saveCursor(String consumer, Progress progress, boolean urgent) {
        CompletableFuture<Void> saved = new CompletableFuture<>();
        offer(new Operation.SaveCursor(consumer, progress, urgent, saved));
        return saved;
    }

    @Override
    public CompletionStage<Void> saveDeadLetter(DeadLetter letter) {
        byte[] key = DeadLetterForm.key(letter.consumer(), letter.push().seq());
        return keep(Family.DEAD_LETTERS, key, DeadLetterForm.encode(letter));
    }

    @Override
    public CompletionStage<Void> removeDeadLetter(String consumer, long seq) {
        return keep(Family.DEAD_LETTERS, DeadLetterForm.key(consumer, seq), null);
    }

    @Override
    public CompletionStage<Void> saveReplay(Replay replay) {
        return keep(Family.REPLAYS, ReplayForm.key(replay.id()), ReplayForm.encode(replay));
    }

    @Override
    public CompletionStage<Void> removeReplay(String id) {
        return keep(Family.REPLAYS, ReplayForm.key(id), null);
    }

    @Override
    public List<Replay> replays() {
        return store().reading(store -> new SavedState(store).replays());
    }

    /** Keeps anything under its key; null: nothing. */
    CompletionStage<Void> keep(Family family, byte[] key, byte @Nullable [] value) {
        CompletableFuture<Void> kept = new CompletableFuture<>();
        offer(new Operation.Keep(family, key, value, kept));
        return kept;
    }

    @Override
    public List<DeadLetter> deadLetters(String consumer, long seq, int max) {
        return store().reading(store -> deadLetters.read(store, consumer, seq, max));
    }

    @Override
    public long countDeadLetters(String consumer) {
        return store().reading(store -> deadLetters.count(store, consumer));
    }

    @Override
    public CompletionStage<Void> removeBelow(long seq) {
        CompletableFuture<Void> removed = new CompletableFuture<>();
        offer(new Operation.Remove(seq, removed));
        return removed.thenRun(sweep::removed);
    }

    @Override
    public long size() {
        Store store = writer.store();
        return store == null ? 0 : store.sizeIfOpen(open -> open.sizeFrom(positions.first()));
    }

    /** All that the directory holds, as far as known; 0 while the journal is not open. Cheap. */
    long bytesOnDisk() {
        Store store = writer.store();
        return store == null ? 0 : store.sizeIfOpen(Store::size);
    }

    @Override
    public boolean writable() {
        return writer.writable();
    }

    @Override
    public void close() {
        sweep.close();
        inbox.close();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new JournalException("interrupted while the journal was being closed", e);
        }
    }

    /** What can't wait in line fails at once, on the caller's thread. */
    private void offer(Operation operation) {
        if (!inbox.offer(operation)) {
            String cause = inbox.isClosed() ? "it is closed" : WAITING + " operations wait already";
            operation.fail(new JournalException("the journal takes nothing more: " + cause));
        }
    }

    /** The open handle. */
    Store store() {
        Store store = writer.store();
        if (store == null) {
            throw Writer.notOpen();
        }
        return store;
    }
}
