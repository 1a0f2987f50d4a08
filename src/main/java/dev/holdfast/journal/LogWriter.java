package dev.holdfast.journal;

import dev.holdfast.push.PushRecord;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread that writes the log. Everything that waits becomes one group with one sync. The first failure ends the
 * segment: nothing is acknowledged from it any more, what waits fails, and a new segment goes on where the last durable group
 * ended, tried again and again until the disk is back.
 */
final class LogWriter implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(LogWriter.class);
    private static final long FIRST_DELAY_MILLIS = 200;
    private static final long MAX_DELAY_MILLIS = 5_000;
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
            WriteQueue queue,
            SegmentList segments,
            LogReader reader,
            DuplicateIndex duplicates,
            LogMeters meters,
            Executor background) {}

    private final Parts parts;
    private final SegmentList segments;
    private final ByteBuffer chunk = ByteBuffer.allocateDirect(CHUNK_BYTES);
    private final List<WriteRequest> group = new ArrayList<>();
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
    public void run() {
        try {
            boolean open = true;
            while (open) {
                open = serveWhateverHappens();
            }
        } catch (InterruptedException e) {
            LOG.error("the journal's thread was interrupted, which ends the journal", e);
        } finally {
            if (!parts.queue().isClosed()) {
                LOG.error("the journal's thread ends though nobody closes the journal: nothing is stored any more");
            }
            end();
        }
    }

    /** Without this thread nothing is ever stored again: no surprise may end it. */
    private boolean serveWhateverHappens() throws InterruptedException {
        try {
            return serve();
        } catch (RuntimeException | Error e) {
            LOG.error("the journal's thread met something unexpected, and goes on", e);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(FIRST_DELAY_MILLIS));
            return true;
        }
    }

    /** One group; false when the queue is closed and drained. */
    private boolean serve() throws InterruptedException {
        SegmentWriter segment = active;
        if (segment == null) {
            reopen();
            return active != null || !parts.queue().isClosed();
        }
        group.clear();
        parts.queue().take(group);
        if (group.isEmpty()) {
            return false;
        }
        write(segment);
        return true;
    }

    private void write(SegmentWriter segment) {
        AppendGroup appends = new AppendGroup(segment, segments, parts.duplicates(), parts.reader(), group.size());
        long start = System.nanoTime();
        writingSince = start == 0 ? 1 : start;
        try {
            fill(segment, appends);
            if (segment.isDirty()) {
                sync(segment);
            }
        } catch (IOException | RuntimeException | Error e) {
            // An Error as well: whatever happened, these were not stored, and whoever waits must hear of it.
            poison(segment, e);
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
        removeAsAsked();
        rollIfDue(segment);
    }

    private void fill(SegmentWriter segment, AppendGroup appends) throws IOException {
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
            WriteRequest.told(() -> listening.committed(pushes));
        }
    }

    private void removeAsAsked() {
        for (WriteRequest request : group) {
            if (request instanceof WriteRequest.Remove remove) {
                removeBelow(Math.min(remove.seq(), segments.lastSeq() + 1));
                WriteRequest.told(() -> remove.removed().complete(null));
            }
        }
    }

    private void removeBelow(long seq) {
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
            parts.background().execute(() -> delete(removed));
        }
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

    private void poison(SegmentWriter segment, Throwable cause) {
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

    /** Tries until it works or the journal is closed; whatever comes in meanwhile fails. */
    private void reopen() throws InterruptedException {
        long delay = FIRST_DELAY_MILLIS;
        while (active == null && !parts.queue().isClosed()) {
            failWhile(delay);
            delay = Math.min(2 * delay, MAX_DELAY_MILLIS);
            if (parts.queue().isClosed()) {
                return;
            }
            try {
                begin();
                LOG.info("the journal can be written again, from push {} on", segments.lastSeq() + 1);
            } catch (IOException | RuntimeException | Error e) {
                parts.meters().failures.increment();
                LOG.error("the journal can't begin a new segment: {}; next try in {} ms", e.toString(), delay);
            }
        }
    }

    private void failWhile(long millis) throws InterruptedException {
        long deadline = System.nanoTime() + millis * 1_000_000;
        while (deadline - System.nanoTime() > 0 && !parts.queue().isClosed()) {
            List<WriteRequest> requests = parts.queue().takeWithin((deadline - System.nanoTime()) / 1_000_000 + 1);
            fail(requests, notOpen());
        }
    }

    private void end() {
        parts.queue().close();
        for (List<WriteRequest> rest = parts.queue().drain();
                !rest.isEmpty();
                rest = parts.queue().drain()) {
            fail(rest, notOpen());
        }
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
            WriteRequest.told(() -> request.fail(cause));
        }
    }
}
