package dev.holdfast.journal;

import dev.holdfast.retry.Outage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The segment that is written to, and its succession: what a new one begins with, when the next one follows, which old ones go.
 * Of the writer's thread, but for what says otherwise.
 */
final class ActiveSegment {
    private static final Logger LOG = LoggerFactory.getLogger(ActiveSegment.class);
    /** A segment is not written to for longer, so that what is old can be removed. */
    private static final long MAX_AGE_NANOS = TimeUnit.DAYS.toNanos(1);
    /** A segment that can't be followed by the next one is written to for a while longer. */
    private static final long ROLL_DELAY_NANOS = 1_000_000_000;

    private static final int CHUNK_BYTES = 1 << 20;

    private final LogDirectory directory;
    private final long segmentBytes;
    private final SegmentList segments;
    private final DuplicateIndex duplicates;
    private final LogMeters meters;
    private final Executor background;
    private final long knownSeq;
    private final KnownRange range;
    /** What is missing at the beginning stays known until it would have been removed. */
    private long firstSeq;

    private final ByteBuffer chunk = ByteBuffer.allocateDirect(CHUNK_BYTES);
    /** Of a segment that is sealed, for the next one: a discarded one would be garbage of the old generation. */
    private final AtomicReference<@Nullable DigestList> spare = new AtomicReference<>();

    private volatile @Nullable SegmentWriter writer;
    private @Nullable LastGroup unproven;
    private byte @Nullable [] note;
    private long rollNotBefore = System.nanoTime();
    private final Outage outage = new Outage();
    private volatile String notice = "";

    /**
     * @param segmentBytes past which a segment is followed by the next one
     * @param found what the log holds: its last group if that is not certain to be durable, and its newest note
     * @param knownSeq a position that was given to a push already, whatever the log says
     */
    ActiveSegment(
            LogDirectory directory,
            long segmentBytes,
            SegmentList segments,
            DuplicateIndex duplicates,
            LogMeters meters,
            Executor background,
            LogRecovery found,
            long knownSeq) {
        this.directory = directory;
        this.segmentBytes = segmentBytes;
        this.segments = segments;
        this.duplicates = duplicates;
        this.meters = meters;
        this.background = background;
        this.unproven = found.lastGroup();
        this.note = found.note();
        this.knownSeq = knownSeq;
        this.range = new KnownRange(directory);
        this.firstSeq = found.firstSeq();
    }

    /** Whether there is one, and its file is where it was made. Any thread; asks the disk. */
    boolean isInPlace() {
        SegmentWriter segment = writer;
        // One that was followed by another meanwhile may have been removed.
        return segment != null && (segment.isInPlace() || (segment != writer && isInPlace()));
    }

    /** Whether there is one. Any thread. */
    boolean isOpen() {
        return writer != null;
    }

    SegmentWriter writer() {
        return Objects.requireNonNull(writer, "there is a segment to write to");
    }

    /** The newest note, which the next segment begins with. */
    void note(byte[] newest) {
        note = newest;
    }

    /** A new segment, with what the log so far ends in and may not be durable. */
    void begin() throws IOException {
        directory.mustBeInPlace();
        LastGroup last = unproven;
        if (last == null) {
            segments.lastSeq(Math.max(segments.lastSeq(), knownSeq));
        }
        DigestList digests = Objects.requireNonNullElseGet(spare.getAndSet(null), DigestList::new);
        SegmentWriter segment =
                SegmentWriter.begin(directory, last == null ? segments.lastSeq() + 1 : last.firstSeq(), chunk, digests);
        prepare(segment, last);
        try {
            segment.publish(directory);
            segments.add(segment.segment());
            if (last != null) {
                duplicates.add(segment.digests());
                segments.lastSeq(Math.max(knownSeq, last.lastSeq()));
                unproven = null;
            }
        } catch (IOException | RuntimeException | Error e) {
            // Its file may be there all the same, and ends the segment before: nothing more may be written to that.
            writer = null;
            segment.close();
            throw e;
        }
        writer = segment;
        notice = "";
        noteRange();
        if (last != null && knownSeq > last.lastSeq()) {
            // Up to knownSeq positions were given to pushes that are lost: one more segment's name tells the next
            // start.
            roll(segment);
        }
    }

    /** Tells outside of the segments what is durable in them. */
    void noteRange() {
        firstSeq = Math.min(firstSeq, segments.firstSeq());
        // Where the last group is yet to be written once more, its pushes are known all the same.
        range.write(firstSeq, Math.max(segments.lastSeq(), knownSeq));
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

    /** Nothing is written to it any more. */
    void abandon() {
        writer = null;
    }

    /**
     * Gives up whole segments that end before {@code seq}.
     *
     * @param onDeleted their files are gone, as far as they could be deleted; on another thread
     */
    void removeBelow(long seq, Runnable onDeleted) {
        SegmentWriter segment = writer;
        if (segment != null && seq > segment.segment().firstSeq()) {
            // It can't go as long as it is written to.
            roll(segment);
        }
        List<Segment> removed = segments.removeBelow(seq);
        if (removed.isEmpty()) {
            background.execute(onDeleted);
            return;
        }
        firstSeq = segments.firstSeq();
        noteRange();
        background.execute(() -> {
            range.sync();
            delete(removed);
            onDeleted.run();
        });
        duplicates.removeBelow(firstSeq);
    }

    private void delete(List<Segment> removed) {
        for (Segment segment : removed) {
            try {
                directory.delete(segment.path());
            } catch (IOException e) {
                LOG.warn("{} can't be deleted, and is there again after the next start: {}", segment, e.toString());
                return;
            }
        }
    }

    /** Why the next one can't be begun; empty: it can, as far as is known. Any thread. */
    String notice() {
        return notice;
    }

    /** Goes on in a new segment when this one is full, or old. */
    void rollIfDue() {
        SegmentWriter segment = writer;
        if (segment == null) {
            return;
        }
        boolean old = System.nanoTime() - segment.begunAt() > MAX_AGE_NANOS;
        if (!segment.segment().isEmpty()
                && (old || segment.position() >= segmentBytes)
                && System.nanoTime() - rollNotBefore >= 0) {
            roll(segment);
        }
    }

    private void roll(SegmentWriter segment) {
        try {
            begin();
            outage.over();
        } catch (IOException | RuntimeException e) {
            meters.failures.increment();
            rollNotBefore = System.nanoTime() + ROLL_DELAY_NANOS;
            notice = "the journal can't begin a new segment after " + segment.segment() + ", and goes on in that one: "
                    + e;
            if (outage.failed()) {
                LOG.error(notice);
            }
        }
        if (writer != segment) {
            background.execute(() -> {
                segment.seal();
                segment.digests().clear();
                spare.set(segment.digests());
            });
        }
    }

    /** The last call. */
    void close() {
        SegmentWriter segment = writer;
        writer = null;
        if (segment != null && segment.segment().isEmpty()) {
            segment.close();
        } else if (segment != null) {
            segment.seal();
        }
        range.sync();
        range.close();
    }
}
