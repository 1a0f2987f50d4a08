package dev.holdfast.journal;

import dev.holdfast.disk.GroupWriter;
import dev.holdfast.disk.WriteQueue;
import dev.holdfast.push.PushRecord;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the log, on the thread of a {@link GroupWriter}: one sync for a group. The first failure ends the segment: nothing is
 * acknowledged from it any more, what waits fails, and a new segment goes on where the last durable group ended, tried again
 * and again until the disk is back.
 */
final class LogWriter implements GroupWriter.Target<WriteRequest> {
    private static final Logger LOG = LoggerFactory.getLogger(LogWriter.class);
    /** A write that takes longer than this meets a disk that hangs. */
    private static final long HANGS_NANOS = 2_000_000_000;
    /** A segment is not written to for longer, so that what is old can be removed. */
    private static final long MAX_AGE_NANOS = TimeUnit.DAYS.toNanos(1);
    /** A segment that can't be followed by the next one is written to for a while longer. */
    private static final long ROLL_DELAY_NANOS = 1_000_000_000;

    private static final int CHUNK_BYTES = 1 << 20;

    /** What the writer works with. */
    record Parts(
            LogDirectory directory,
            LogOptions options,
            WriteQueue<WriteRequest> queue,
            SegmentList segments,
            LogReader reader,
            DuplicateIndex duplicates,
            LogMeters meters,
            Executor background) {}

    private final Parts parts;
    private final SegmentList segments;
    private final ByteBuffer chunk = ByteBuffer.allocateDirect(CHUNK_BYTES);
    private volatile @Nullable SegmentWriter active;
    private volatile Journal.@Nullable Follower follower;
    /** When the write under way began, by {@link System#nanoTime}; 0 when none is. */
    private volatile long writingSince;

    private final long knownSeq;
    private @Nullable LastGroup unproven;
    private byte @Nullable [] note;
    private long rollNotBefore = System.nanoTime();
    /** Why the last write failed that did. */
    private String complaint = "";

    /**
     * @param unproven the last group that the log ends in, if it is not certain to be durable
     * @param note the newest one
     * @param knownSeq a position that was given to a push already, whatever the log says
     */
    LogWriter(Parts parts, @Nullable LastGroup unproven, byte @Nullable [] note, long knownSeq) {
        this.parts = parts;
        this.segments = parts.segments();
        this.knownSeq = knownSeq;
        this.unproven = unproven;
        this.note = note;
    }

    /** Before the thread starts, by the thread that makes it. When it fails the thread tries again. */
    void open() {
        try {
            begin();
        } catch (IOException | RuntimeException | Error e) {
            parts.meters().failures.increment();
            LOG.error("the journal can be read but not written: {}; it is tried again", e.toString());
        }
    }

    /** Whether there is a segment to write to, and no write to it hangs. Any thread. */
    boolean writable() {
        long since = writingSince;
        return active != null && (since == 0 || System.nanoTime() - since < HANGS_NANOS);
    }

    void follow(Journal.Follower follower) {
        this.follower = follower;
    }

    @Override
    public boolean isAway() {
        return active == null;
    }

    @Override
    public void write(List<WriteRequest> group) {
        SegmentWriter segment = Objects.requireNonNull(active, "there is a segment to write to");
        AppendGroup appends = new AppendGroup(segment, segments, parts.duplicates(), parts.reader(), group.size());
        long start = System.nanoTime();
        writingSince = start == 0 ? 1 : start;
        try {
            fill(segment, group, appends);
            if (segment.isDirty()) {
                sync(segment);
            }
        } catch (IOException | RuntimeException | Error e) {
            // An Error as well: whatever happened, these were not stored, and whoever waits must hear of it.
            poison(segment, group, e);
            return;
        } finally {
            writingSince = 0;
        }
        segments.lastSeq(appends.lastSeq());
        parts.duplicates().committed();
        // Counted before anyone hears of it: who has an answer finds it in the figures.
        if (!appends.pushes().isEmpty()) {
            parts.meters().batchSize.record(appends.pushes().size());
        }
        appends.tell();
        publish(appends.pushes());
        removeAsAsked(group);
        rollIfDue(segment);
    }

    private void fill(SegmentWriter segment, List<WriteRequest> group, AppendGroup appends) throws IOException {
        byte[] noted = null;
        for (WriteRequest request : group) {
            if (request instanceof WriteRequest.Append append) {
                appends.add(append);
            } else if (request instanceof WriteRequest.Note newer) {
                noted = newer.state();
            }
        }
        if (noted != null) {
            note = noted;
            segment.note(noted);
        }
    }

    private void sync(SegmentWriter segment) throws IOException {
        long start = System.nanoTime();
        segment.sync();
        segment.commit();
        parts.meters().sync.record(System.nanoTime() - start, TimeUnit.NANOSECONDS);
    }

    private void publish(List<PushRecord> pushes) {
        Journal.Follower listening = follower;
        if (listening != null && !pushes.isEmpty()) {
            GroupWriter.tell(() -> listening.committed(pushes));
        }
    }

    private void removeAsAsked(List<WriteRequest> group) {
        for (WriteRequest request : group) {
            if (request instanceof WriteRequest.Remove remove) {
                List<Segment> removed = removeBelow(Math.min(remove.seq(), segments.lastSeq() + 1));
                parts.background().execute(() -> {
                    delete(removed);
                    GroupWriter.tell(() -> remove.removed().complete(null));
                });
            }
        }
    }

    private List<Segment> removeBelow(long seq) {
        SegmentWriter segment = active;
        if (segment != null
                && !segment.segment().isEmpty()
                && seq > segment.segment().firstSeq()) {
            // It can't go as long as it is written to.
            roll(segment);
        }
        List<Segment> removed = segments.removeBelow(seq);
        if (!removed.isEmpty()) {
            parts.duplicates().removeBelow(segments.firstSeq());
        }
        return removed;
    }

    private void delete(List<Segment> removed) {
        for (Segment segment : removed) {
            try {
                parts.directory().delete(segment.path());
            } catch (IOException e) {
                LOG.warn("{} can't be deleted, and is there again after the next start: {}", segment, e.toString());
                return;
            }
        }
    }

    private void rollIfDue(SegmentWriter segment) {
        boolean old = System.nanoTime() - segment.begunAt() > MAX_AGE_NANOS;
        if (active == segment
                && !segment.segment().isEmpty()
                && (old || segment.position() >= parts.options().segmentBytes())
                && System.nanoTime() - rollNotBefore >= 0) {
            roll(segment);
        }
    }

    private void roll(SegmentWriter segment) {
        try {
            begin();
        } catch (IOException | RuntimeException e) {
            parts.meters().failures.increment();
            rollNotBefore = System.nanoTime() + ROLL_DELAY_NANOS;
            LOG.error("the journal can't begin a new segment after {}: {}", segment, e.toString());
        }
        if (active != segment) {
            parts.background().execute(segment::seal);
        }
    }

    /** A new segment, with what the log so far ends in and may not be durable. */
    private void begin() throws IOException {
        LastGroup last = unproven;
        if (last == null) {
            segments.lastSeq(Math.max(segments.lastSeq(), knownSeq));
        }
        SegmentWriter segment = SegmentWriter.begin(
                parts.directory(),
                last == null ? segments.lastSeq() + 1 : last.firstSeq(),
                parts.options().disk(),
                chunk);
        prepare(segment, last);
        try {
            segment.publish(parts.directory());
        } catch (IOException | RuntimeException | Error e) {
            // Perhaps it is there all the same, and with it an end is set to the one before.
            active = null;
            segment.close();
            throw e;
        }
        segments.add(segment.segment());
        if (last != null) {
            last.addTo(parts.duplicates());
            segments.lastSeq(Math.max(knownSeq, last.lastSeq()));
            unproven = null;
        }
        active = segment;
    }

    private void prepare(SegmentWriter segment, @Nullable LastGroup last) throws IOException {
        try {
            if (note != null) {
                segment.note(note);
            }
            if (last != null) {
                last.writeTo(segment);
            }
            segment.sync();
        } catch (IOException | RuntimeException | Error e) {
            segment.close();
            throw e;
        }
    }

    private void poison(SegmentWriter segment, List<WriteRequest> group, Throwable cause) {
        active = null;
        parts.duplicates().removeAbove(segments.lastSeq());
        parts.meters().failures.increment();
        JournalException failure = new JournalException("the journal can't store: " + cause.getMessage(), cause);
        fail(group, failure);
        for (List<WriteRequest> rest = parts.queue().drain();
                !rest.isEmpty();
                rest = parts.queue().drain()) {
            fail(rest, failure);
        }
        complain(String.valueOf(cause.getMessage()), cause);
        segment.cut();
    }

    /** On a full disk this comes several times a second: where it came from is told once. */
    private void complain(String message, Throwable cause) {
        String line = "the journal can't store: {}; it goes on in a new segment";
        if (message.equals(complaint)) {
            LOG.error(line, message);
        } else {
            LOG.error(line, message, cause);
        }
        complaint = message;
    }

    @Override
    public void reopen() throws IOException {
        begin();
        LOG.info("the journal can be written again, from push {} on", segments.lastSeq() + 1);
    }

    @Override
    public void cannotOpen(Throwable cause, long nextTryMillis) {
        parts.meters().failures.increment();
        LOG.error("the journal can't begin a new segment: {}; next try in {} ms", cause.toString(), nextTryMillis);
    }

    @Override
    public void refuse(List<WriteRequest> group) {
        // It may be what makes room again.
        removeAsAsked(group);
        fail(
                group.stream()
                        .filter(request -> !(request instanceof WriteRequest.Remove))
                        .toList(),
                notOpen());
    }

    @Override
    public void close() {
        SegmentWriter segment = active;
        active = null;
        if (segment != null && segment.segment().isEmpty()) {
            segment.close();
        } else if (segment != null) {
            segment.seal();
        }
    }

    static JournalException notOpen() {
        return new JournalException("the journal is not open");
    }

    private void fail(List<WriteRequest> requests, JournalException cause) {
        for (WriteRequest request : requests) {
            if (request instanceof WriteRequest.Note newer) {
                note = newer.state();
            }
            GroupWriter.tell(() -> request.fail(cause));
        }
    }
}
