package dev.holdfast.journal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out what a log holds when it is opened: reads the footers of the sealed segments, and through the others, of which
 * there are one or two after a crash. What is damaged is reported, kept aside and passed over; it keeps nothing from being opened. By
 * one thread.
 */
final class LogRecovery {
    private static final Logger LOG = LoggerFactory.getLogger(LogRecovery.class);

    private final LogDirectory directory;
    private final CorruptionLog corruption;
    private final OpeningRetries retries;
    private final List<Segment> segments = new ArrayList<>();
    private final List<SegmentInspection> inspections = new ArrayList<>();
    private @Nullable LastGroup lastGroup;
    private byte @Nullable [] note;
    private long knownSeq;
    private long firstSeq;
    /** The newest one, when how far its positions go is not known. */
    private @Nullable Segment guessed;

    private LogRecovery(LogDirectory directory, CorruptionLog corruption) {
        this.directory = directory;
        this.corruption = corruption;
        this.retries = new OpeningRetries(directory);
    }

    /** @throws JournalException when the directory can't be read, or a newer version wrote it: nothing is changed then */
    static LogRecovery of(LogDirectory directory, CorruptionLog corruption) {
        LogRecovery recovery = new LogRecovery(directory, corruption);
        try {
            NavigableMap<Long, Path> files = directory.segments();
            files.values().forEach(recovery::refuseNewer);
            recovery.inspect(files);
            recovery.compare(KnownRange.read(directory.path()));
            recovery.findNote();
            return recovery;
        } catch (IOException e) {
            throw new JournalException("can't recover the journal in " + directory.path() + ": " + e, e);
        }
    }

    /** All of them before the first is inspected: one that is damaged is kept aside. */
    private void refuseNewer(Path path) {
        try (SegmentFile file = new SegmentFile(directory.disk(), path)) {
            file.header(false);
        } catch (IOException unreadable) {
            // Its inspection waits for it, and looks again.
        }
    }

    private void inspect(NavigableMap<Long, Path> files) {
        files.forEach((firstSeq, file) -> {
            Long next = files.higherKey(firstSeq);
            long limit = next == null ? Long.MAX_VALUE : next;
            try {
                inspect(inspection(file, firstSeq, limit), next == null);
            } catch (IOException e) {
                unreadable(file, firstSeq, limit, e);
            }
            if (next != null) {
                lastOf(segments.get(segments.size() - 1), limit - 1);
            }
        });
    }

    /** @param limit its last position, unless the next segment was begun behind a guess, see {@link #unreadable} */
    private void lastOf(Segment segment, long limit) {
        segment.certain(directory.marks().certain(segment.path()));
        long last = Math.min(limit, segment.certain());
        if (segment.lastSeq() < last) {
            lacks(segment.lastSeq() + 1);
            corruption.missing(segment.lastSeq() + 1, last);
        }
    }

    private SegmentInspection inspection(Path file, long firstSeq, long limit) throws IOException {
        if (Files.isDirectory(file)) {
            throw new IOException("it is a directory");
        }
        while (true) {
            UnreadablePolicy policy = retries.policy();
            try {
                return SegmentInspection.of(directory.disk(), file, firstSeq, limit, corruption, policy);
            } catch (IOException e) {
                if (policy != UnreadablePolicy.NEVER) {
                    throw e;
                }
                retries.pause(file, e);
            }
        }
    }

    /** In the newest of the segments so far a push that was stored can't be read: it is not to be cut off as torn. */
    private void lacks(long seq) {
        SegmentInspection last = inspections.isEmpty() ? null : inspections.get(inspections.size() - 1);
        if (last != null && last.segment() == segments.get(segments.size() - 1) && !last.isSealed()) {
            last.lacks(seq);
            tellDamage(last);
        }
    }

    private void tellDamage(SegmentInspection found) {
        String damage = found.damage();
        if (damage != null && corruption.damaged(found.segment().name(), damage)) {
            directory.marks().keepAside(found.segment().path());
        }
    }

    private void inspect(SegmentInspection found, boolean newest) {
        if (newest) {
            knownSeq = Math.max(found.segment().lastSeq(), found.claimedSeq());
            if (found.claimedSeq() > 0) {
                corruption.broken(found.claimedSeq(), "its record is damaged");
            }
            // A journal that is only read doesn't write it once more, and takes it as it is.
            lastGroup = directory.isReadOnly() ? null : found.takeLastGroup();
            directory.marks().unmarkGuessed(found.segment().path());
        }
        tellDamage(found);
        inspections.add(found);
        segments.add(found.segment());
    }

    /**
     * Takes in a segment that the disk doesn't give, with as many pushes as its length has room for, one at least: that many positions
     * are not given again, no other segment takes its name, and a later reading finds out which of them the disk gives by then.
     *
     * @param limit where the next segment begins; the highest number for the newest
     */
    private void unreadable(Path file, long firstSeq, long limit, IOException cause) {
        Segment segment = new Segment(file, firstSeq, 0);
        // What a file system says of a directory's length means nothing.
        long bytes = Files.isDirectory(file) ? 0 : file.toFile().length();
        long room = Math.max(1, bytes / SegmentFormat.LEAST_RECORD);
        segment.grownTo(Math.min(limit - 1, firstSeq - 1 + room), Math.max(SegmentFormat.HEADER_LENGTH, bytes));
        segments.add(segment);
        guessed = limit == Long.MAX_VALUE ? segment : null;
        corruption.damaged(segment.name(), cause.toString());
        directory.marks().keepAside(file);
    }

    /** With what is known of the segments outside of them: the oldest or the newest ones may be gone. */
    private void compare(KnownRange.@Nullable Positions known) {
        firstSeq = segments.isEmpty() ? Long.MAX_VALUE : segments.get(0).firstSeq();
        if (guessed != null) {
            guessed.certain(known == null ? guessed.lastSeq() : known.lastSeq());
            directory.marks().markGuessed(guessed.path(), guessed.certain());
        }
        if (known == null) {
            return;
        }
        knownSeq = Math.max(knownSeq, known.lastSeq());
        if (known.lastSeq() > lastSeq()) {
            lacks(lastSeq() + 1);
        }
        if (segments.isEmpty()) {
            firstSeq = known.firstSeq();
        } else if (known.firstSeq() < firstSeq) {
            corruption.missing(known.firstSeq(), firstSeq - 1);
            firstSeq = known.firstSeq();
        }
    }

    private void findNote() {
        for (int i = inspections.size() - 1; i >= 0 && note == null; i--) {
            try {
                note = inspections.get(i).note();
            } catch (IOException e) {
                LOG.warn("a note in {} can't be read: {}", inspections.get(i).segment(), e.toString());
            }
        }
    }

    /** Oldest first; what they hold is certain to be durable. */
    List<Segment> segments() {
        return segments;
    }

    /** Of {@link #segments}, those that could be read. */
    List<SegmentInspection> inspections() {
        return inspections;
    }

    /** The newest position that is there, in the last group or before it; 0 when there is none. */
    long lastSeq() {
        if (lastGroup != null) {
            return lastGroup.lastSeq();
        }
        return segments.isEmpty() ? 0 : segments.get(segments.size() - 1).lastSeq();
    }

    /** What follows the segments, and is to be written once more; null: nothing. */
    @Nullable
    LastGroup lastGroup() {
        return lastGroup;
    }

    /** The newest note that can be read; null when there is none. */
    byte @Nullable [] note() {
        return note;
    }

    /** The newest position that was given to a push, as far as the files tell. */
    long knownSeq() {
        return knownSeq;
    }

    /** Where the oldest segment begins or, when that is gone, began; the highest number when nothing tells of any. */
    long firstSeq() {
        return firstSeq;
    }

    /**
     * Once the log goes on in another segment: seals what was not sealed, so that it need not be read through again. One that is
     * kept aside is the same file, of which nothing is to be cut.
     */
    void sealInBackground(SegmentList current, Executor background) {
        for (SegmentInspection found : inspections) {
            Segment segment = found.segment();
            if (!found.isSealed()
                    && found.damage() == null
                    && !segment.isEmpty()
                    && !directory.marks().isKeptAside(segment.path())) {
                background.execute(() -> seal(current, segment, found.noteAt()));
            }
        }
    }

    private void seal(SegmentList current, Segment segment, long noteAt) {
        try {
            if (current.all().containsValue(segment)) {
                SegmentWriter.seal(segment, noteAt, directory.disk());
            }
        } catch (IOException e) {
            LOG.warn("{} can't be sealed, so the next opening reads all of it: {}", segment, e.toString());
        }
    }
}
