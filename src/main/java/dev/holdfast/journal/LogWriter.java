package dev.holdfast.journal;

import dev.holdfast.disk.GroupWriter;
import dev.holdfast.disk.WriteQueue;
import dev.holdfast.push.PushRecord;
import dev.holdfast.retry.Outage;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
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

    private final WriteQueue<WriteRequest> queue;
    private final SegmentList segments;
    private final ActiveSegment active;
    private final LogReader reader;
    private final DuplicateIndex duplicates;
    private final LogMeters meters;
    private final Outage outage = new Outage();
    private final List<Journal.Follower> followers = new CopyOnWriteArrayList<>();
    /** When the write under way began, by {@link System#nanoTime}; 0 when none is. */
    private volatile long writingSince;

    private @Nullable Runnable leftForLater;

    LogWriter(
            WriteQueue<WriteRequest> queue,
            SegmentList segments,
            ActiveSegment active,
            LogReader reader,
            DuplicateIndex duplicates,
            LogMeters meters) {
        this.queue = queue;
        this.segments = segments;
        this.active = active;
        this.reader = reader;
        this.duplicates = duplicates;
        this.meters = meters;
    }

    /**
     * Before the thread starts, by the thread that makes it. When it fails the thread tries again.
     *
     * @param leftForLater what needn't be done before the first push has its answer
     */
    void open(Runnable leftForLater) {
        this.leftForLater = leftForLater;
        try {
            active.begin();
        } catch (IOException | RuntimeException | Error e) {
            meters.failures.increment();
            if (outage.failed()) {
                LOG.error("the journal can be read but not written: {}; it is tried again", e.toString());
            }
        }
    }

    /** Whether there is a segment to write to, in its place, and no write to it hangs. Any thread; asks the disk. */
    boolean writable() {
        long since = writingSince;
        return (since == 0 || System.nanoTime() - since < HANGS_NANOS) && active.isInPlace();
    }

    String notice() {
        return active.notice();
    }

    void follow(Journal.Follower follower) {
        followers.add(follower);
    }

    @Override
    public boolean isAway() {
        return !active.isOpen();
    }

    @Override
    public void write(List<WriteRequest> group) {
        long start = System.nanoTime();
        writingSince = start == 0 ? 1 : start;
        try {
            writeAndRoll(group);
        } finally {
            writingSince = 0;
        }
    }

    private void writeAndRoll(List<WriteRequest> group) {
        SegmentWriter segment = active.writer();
        AppendGroup appends;
        try {
            appends = new AppendGroup(segment, segments, duplicates, reader, group.size());
            fill(segment, group, appends);
            if (segment.isDirty()) {
                sync(segment);
            }
        } catch (IOException | RuntimeException | Error e) {
            // An Error as well: whatever happened, these were not stored, and whoever waits must hear of it.
            poison(segment, group, e);
            return;
        }
        segments.lastSeq(appends.lastSeq());
        noteDown(appends.pushes().size());
        appends.notifyAppenders();
        publish(appends.pushes());
        removeAsAsked(group);
        // Everyone has been told: whatever goes wrong from here on, nobody waits for it.
        duplicates.committed();
        active.rollIfDue();
        if (!appends.pushes().isEmpty()) {
            doWhatWasLeft();
        }
    }

    /** Counted before anyone hears of it: who has an answer finds it in the figures. */
    private void noteDown(int pushes) {
        try {
            active.noteRange();
            if (pushes > 0) {
                meters.batchSize.record(pushes);
            }
        } catch (RuntimeException | Error e) {
            // They are stored, and are to be told so.
            LOG.error("the journal can't note what it has stored: {}", e.toString());
        }
    }

    private void doWhatWasLeft() {
        Runnable left = leftForLater;
        leftForLater = null;
        if (left != null) {
            left.run();
        }
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
            active.note(noted);
            segment.note(noted);
        }
    }

    private void sync(SegmentWriter segment) throws IOException {
        long start = System.nanoTime();
        segment.sync();
        segment.commit();
        meters.sync.record(System.nanoTime() - start, TimeUnit.NANOSECONDS);
    }

    private void publish(List<PushRecord> pushes) {
        if (pushes.isEmpty()) {
            return;
        }
        for (Journal.Follower follower : followers) {
            try {
                follower.committed(pushes);
            } catch (RuntimeException | Error e) {
                GroupWriter.notTaken(e);
            }
        }
    }

    private void removeAsAsked(List<WriteRequest> group) {
        for (WriteRequest request : group) {
            if (request instanceof WriteRequest.Remove remove) {
                remove(remove);
            }
        }
    }

    private void remove(WriteRequest.Remove asked) {
        try {
            active.removeBelow(
                    Math.min(asked.seq(), segments.lastSeq() + 1),
                    () -> GroupWriter.notify(() -> asked.removed().complete(null)));
        } catch (RuntimeException | Error e) {
            fail(asked, new JournalException("the journal can't remove: " + e, e));
        }
    }

    private void poison(SegmentWriter segment, List<WriteRequest> group, Throwable cause) {
        active.abandon();
        duplicates.removeAbove(segments.lastSeq());
        meters.failures.increment();
        JournalException failure = new JournalException("the journal can't store: " + cause.getMessage(), cause);
        fail(group, failure);
        try {
            for (List<WriteRequest> rest = queue.drain(); !rest.isEmpty(); rest = queue.drain()) {
                fail(rest, failure);
            }
            complain(cause);
        } finally {
            segment.cut();
        }
    }

    /** What the disk says needs no trace, and on a full one comes several times a second: anything else is a fault of ours. */
    private void complain(Throwable cause) {
        String line = "the journal can't store: {}; it goes on in a new segment";
        boolean due = outage.failed();
        if (!(cause instanceof IOException)) {
            LOG.error(line, cause.getMessage(), cause);
        } else if (due) {
            LOG.error(line, cause.getMessage());
        }
    }

    @Override
    public void reopen() throws IOException {
        active.begin();
        if (outage.over()) {
            LOG.info("the journal can be written again, from push {} on", segments.lastSeq() + 1);
        }
    }

    @Override
    public void cannotOpen(Throwable cause, long nextTryMillis) {
        meters.failures.increment();
        if (outage.failed()) {
            LOG.error("the journal can't begin a new segment: {}; next try in {} ms", cause.toString(), nextTryMillis);
        }
    }

    @Override
    public void refuse(List<WriteRequest> group) {
        // It may be what makes room again.
        removeAsAsked(group);
        JournalException cause = notOpen();
        for (WriteRequest request : group) {
            if (!(request instanceof WriteRequest.Remove)) {
                fail(request, cause);
            }
        }
    }

    @Override
    public void close() {
        if (active.isOpen()) {
            doWhatWasLeft();
        }
        active.close();
    }

    static JournalException notOpen() {
        return new JournalException("the journal is not open");
    }

    private void fail(List<WriteRequest> requests, JournalException cause) {
        for (WriteRequest request : requests) {
            fail(request, cause);
        }
    }

    private void fail(WriteRequest request, JournalException cause) {
        if (request instanceof WriteRequest.Note newer) {
            active.note(newer.state());
        }
        try {
            request.fail(cause);
        } catch (RuntimeException | Error e) {
            GroupWriter.notTaken(e);
        }
    }
}
