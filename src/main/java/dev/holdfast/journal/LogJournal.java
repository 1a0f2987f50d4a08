package dev.holdfast.journal;

import dev.holdfast.disk.GroupWriter;
import dev.holdfast.disk.OpeningWatch;
import dev.holdfast.disk.WriteQueue;
import dev.holdfast.push.PushRecord;
import dev.holdfast.store.Digests;
import dev.holdfast.store.Store;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The journal as a log of segments in a directory of this machine; {@link SegmentFormat} draws them. One thread, {@code
 * journal}, writes; reading goes on beside it; two more, {@code journal-segments} and {@code journal-digests}, seal and delete
 * segments, and keep the digests: on a full disk somebody waits for the space, whatever there is to do with digests. Made by
 * {@link #open}.
 */
public final class LogJournal implements Journal {
    private static final Logger LOG = LoggerFactory.getLogger(LogJournal.class);
    /** Requests that may wait for the writer; past it they fail, which tells of a disk that has stopped. */
    private static final int WAITING = 65_536;

    private static final long GROUP_BYTES = 8L << 20;
    private static final long LINGER_NANOS = 20_000_000;
    private static final long BACKGROUND_SECONDS = 10;
    /** What is removed goes by whole segments, and an unsealed one is read through at opening. */
    private static final long LARGEST_SEGMENT = 64L << 20;
    /** Into so many a journal of the configured size is split at least. */
    private static final int PARTS = 8;

    private final SegmentList segments;
    private final WriteQueue<WriteRequest> queue = new WriteQueue<>(WAITING, GROUP_BYTES, LINGER_NANOS);
    private final LogDirectory directory;
    private final CorruptionLog corruption;
    private final LogReader reader;
    private final DuplicateIndex duplicates;
    private final LogWriter writer;
    private final byte @Nullable [] lastNote;
    private final Thread thread;
    private volatile boolean closed;

    private final ExecutorService ofSegments = thread("journal-segments");
    private final ExecutorService ofDigests = thread("journal-digests");

    private LogJournal(
            LogDirectory directory,
            Digests digests,
            long knownSeq,
            MeterRegistry registry,
            long segmentBytes,
            CorruptionLog.Findings findings) {
        LogMeters meters = new LogMeters(registry);
        this.directory = directory;
        corruption = new CorruptionLog(meters.corrupt, findings);
        LogRecovery found = LogRecovery.of(directory, corruption);
        lastNote = found.note();
        segments = new SegmentList(found.segments());
        reader = new LogReader(segments, directory, corruption);
        duplicates = new DuplicateIndex(directory.disk(), segments, digests, ofDigests);
        ActiveSegment active = new ActiveSegment(
                directory,
                segmentBytes,
                segments,
                duplicates,
                meters,
                ofSegments,
                found,
                knownSeq(found, Math.max(knownSeq, digests.upTo())));
        writer = new LogWriter(queue, segments, active, reader, duplicates, meters);
        duplicates.open();
        writer.open(() -> {
            duplicates.lookBack();
            found.sealInBackground(segments, ofSegments);
        });
        thread = new Thread(new GroupWriter<>("journal", queue, writer), "journal");
        thread.start();
        meters.watch(this, corruption);
    }

    private static ExecutorService thread(String name) {
        return Executors.newSingleThreadExecutor(task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        });
    }

    /** No position is given twice: not even one whose push is lost, or consumers that have passed it would miss the new push. */
    private long knownSeq(LogRecovery found, long knownElsewhere) {
        long known = Math.max(found.lastSeq(), Math.max(found.knownSeq(), knownElsewhere));
        long from = Math.max(found.lastSeq() + 1, found.firstSeq());
        if (known >= from) {
            corruption.missing(from, known);
        }
        return known;
    }

    /**
     * Opens the journal in {@code directory}, which is made when it is not there, and recovers what it holds. Neither damage
     * nor a full disk keeps it from being opened. Blocks.
     *
     * @param maxSize bytes that are to be kept, about: what is removed goes in parts of that
     * @param store keeps the index of digests, and knows which positions consumers have met; to be closed after the journal
     * @throws JournalException when the directory is in use by another process, or another version of Holdfast wrote it
     */
    public static LogJournal open(Path directory, long maxSize, Store store, MeterRegistry registry) {
        long segmentBytes = Math.min(LARGEST_SEGMENT, maxSize / PARTS);
        // Before the directory is held: a store that was never open doesn't know.
        long knownSeq = KnownPositions.newest(store);
        LogDirectory held = LogDirectory.open(directory, LogDisk.REAL);
        return open(held, store.digests(), knownSeq, registry, segmentBytes, store.ledger()::found);
    }

    /** With another disk, or smaller segments: the seam for tests. */
    static LogJournal open(
            LogDirectory directory,
            Digests digests,
            long knownSeq,
            MeterRegistry registry,
            long segmentBytes,
            CorruptionLog.Findings findings) {
        OpeningWatch watch = OpeningWatch.over(directory.path());
        try {
            return new LogJournal(directory, digests, knownSeq, registry, segmentBytes, findings);
        } catch (RuntimeException | Error e) {
            directory.close();
            throw e;
        } finally {
            watch.close();
        }
    }

    @Override
    public void append(PushRecord push, Outcome outcome) {
        offer(new WriteRequest.Append(push, Digest.of(push), outcome));
    }

    @Override
    public void follow(Follower follower) {
        writer.follow(follower);
    }

    @Override
    public void note(byte[] state) {
        offer(new WriteRequest.Note(state));
    }

    @Override
    public Optional<byte[]> lastNote() {
        return Optional.ofNullable(lastNote).map(byte[]::clone);
    }

    @Override
    public List<PushRecord> read(long from, int maxPushes, long maxBytes) {
        if (closed) {
            throw LogWriter.notOpen();
        }
        return reader.read(from, maxPushes, maxBytes);
    }

    @Override
    public long firstSeq() {
        return segments.firstSeq();
    }

    @Override
    public long lastSeq() {
        return segments.lastSeq();
    }

    @Override
    public CompletionStage<Void> removeBelow(long seq) {
        CompletableFuture<Void> removed = new CompletableFuture<>();
        offer(new WriteRequest.Remove(seq, removed));
        return removed;
    }

    @Override
    public List<Extent> extents() {
        return segments.all().values().stream()
                .map(segment -> new Extent(segment.firstSeq(), segment.length()))
                .toList();
    }

    @Override
    public long size() {
        return closed ? 0 : segments.size();
    }

    @Override
    public boolean writable() {
        return writer.writable();
    }

    @Override
    public String notice() {
        return writer.notice();
    }

    @Override
    public List<String> damage() {
        return corruption.all();
    }

    @Override
    public void close() {
        queue.close();
        try {
            thread.join();
            if (!closed) {
                closed = true;
                duplicates.close();
                end(ofSegments);
                end(ofDigests);
                directory.close();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new JournalException("interrupted while the journal was being closed", e);
        }
    }

    private static void end(ExecutorService thread) throws InterruptedException {
        thread.shutdown();
        if (!thread.awaitTermination(BACKGROUND_SECONDS, TimeUnit.SECONDS)) {
            LOG.warn("the journal's background work has not ended, and is done again after the next start");
        }
    }

    /** What can't wait in line fails at once, on the caller's thread. */
    private void offer(WriteRequest request) {
        if (!queue.offer(request)) {
            String cause = queue.isClosed() ? "it is closed" : WAITING + " requests wait already";
            request.fail(new JournalException("the journal takes nothing more: " + cause));
        }
    }
}
