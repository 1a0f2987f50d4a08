package dev.holdfast.journal;

import dev.holdfast.push.PushRecord;
import dev.holdfast.push.RecordForm;
import dev.holdfast.push.RecordFormException;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads pushes back in order, past what is missing or damaged, which it reports. Each reading has a channel of its own, so it
 * disturbs neither the writer nor another one, and an interrupt ends no other than itself. Any thread.
 */
final class LogReader implements OrderedPushes {
    private static final Logger LOG = LoggerFactory.getLogger(LogReader.class);
    /**
     * Places remembered where a reading ended and the next may go on: a segment from before the start has no index until it is
     * looked through, which may take long beside blocks that can't be read.
     */
    private static final int PLACES = 64;
    /** So long the making of a segment's index asks the disk again for blocks that can't be read. */
    private static final long LOOKING_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final SegmentList segments;
    private final LogDirectory directory;
    private final CorruptionLog corruption;
    private final AtomicReferenceArray<@Nullable Place> places = new AtomicReferenceArray<>(PLACES);

    private final FailingBlocks failing;

    /** The push at {@code seq}, or the first one behind it, begins there. */
    private record Place(Segment segment, long seq, long offset) {}

    LogReader(SegmentList segments, LogDirectory directory, CorruptionLog corruption) {
        this.segments = segments;
        this.directory = directory;
        this.corruption = corruption;
        this.failing = new FailingBlocks(directory.disk());
    }

    /** See {@link Journal#read}. */
    @Override
    public List<PushRecord> read(long from, int maxPushes, long maxBytes) {
        List<PushRecord> found = new ArrayList<>();
        long[] bytes = {0};
        try {
            scan(from, segments.lastSeq(), push -> {
                found.add(push);
                bytes[0] += push.body().length;
                return found.size() < maxPushes && bytes[0] < maxBytes;
            });
        } catch (JournalException e) {
            if (found.isEmpty()) {
                throw e;
            }
            LOG.debug("what was read before it goes first: {}", e.toString());
        }
        return found;
    }

    /** Hands them to {@code more} until it says no. */
    private void scan(long from, long to, Predicate<PushRecord> more) {
        long next = from;
        while (next <= to) {
            NavigableMap<Long, Segment> all = segments.all();
            // None before the oldest one.
            Map.Entry<Long, Segment> segment = all.floorEntry(next);
            Long after = all.higherKey(next);
            long segmentTo = after == null ? to : Math.min(to, after - 1);
            if (segment != null && !scan(segment.getValue(), next, segmentTo, more)) {
                return;
            }
            next = segmentTo + 1;
        }
    }

    /** Returns whether more is wanted. */
    private boolean scan(Segment segment, long from, long to, Predicate<PushRecord> more) {
        try (SegmentFile file = new SegmentFile(directory.disk(), segment.path())) {
            return scan(segment, file, from, to, more);
        } catch (NoSuchFileException e) {
            gone(segment, from, to, e);
            return true;
        } catch (IOException e) {
            throw unreadable(segment, e);
        }
    }

    /** Removed meanwhile, or lost; not when the whole directory is away, with all that is kept. */
    private void gone(Segment segment, long from, long to, IOException cause) {
        if (!segments.all().containsValue(segment)) {
            return;
        }
        // In this order: a directory that comes back in between has its file again.
        if (!directory.isInPlace() || Files.exists(segment.path())) {
            throw unreadable(segment, cause);
        }
        corruption.damaged(segment.name(), "the file is gone");
        missing(from, to);
    }

    private static JournalException unreadable(Segment segment, IOException cause) {
        return new JournalException("can't read " + segment.path() + ": " + cause, cause);
    }

    /**
     * Whether a block that can't be read has been so for long enough, and still is now that the disk is known to be there; of a
     * journal that is only read each is at once.
     *
     * @throws IOException when the disk gives nothing else either: it is away, whatever the system still has of it in memory
     */
    private boolean isLost(Segment segment, SegmentFile file, long block) throws IOException {
        if (directory.isReadOnly()) {
            return true;
        }
        if (!directory.disk().gives(segments.all().lastEntry().getValue().path())
                && !directory.disk().gives(directory.path().resolve(KnownRange.NAME))) {
            throw new IOException("the disk gives nothing");
        }
        return failing.failed(segment, block) && !file.gives(block);
    }

    private boolean scan(Segment segment, SegmentFile file, long from, long to, Predicate<PushRecord> more)
            throws IOException {
        // Before anything else: what is cut short meanwhile is told from what is written meanwhile.
        long end = Math.min(segment.end(), file.size());
        long start = start(segment, file, from);
        UnreadablePolicy policy = block -> isLost(segment, file, block);
        try (SegmentScanner scanner = new SegmentScanner(file, segment.marker(), start, end, policy)) {
            long expected = from;
            boolean wanted = true;
            while (wanted && expected <= to && scanner.next()) {
                if (scanner.passedDamage()) {
                    damaged(segment, scanner.damage(scanner.before(), scanner.offset()), scanner.offset());
                }
                long seq = scanner.seq();
                if (scanner.kind() != SegmentFormat.PUSH || seq < expected) {
                    continue;
                }
                missing(expected, Math.min(seq - 1, to));
                expected = seq + 1;
                wanted = seq > to || accepted(scanner, seq, more);
            }
            failing.read(segment, start, scanner.seenTo(), scanner.bytes()::isUnreadable);
            if (!wanted || expected == to + 1) {
                remember(segment, expected, scanner.seenTo());
            } else if (expected <= to) {
                endsEarly(segment, scanner, expected, to);
            }
            return wanted;
        }
    }

    private void endsEarly(Segment segment, SegmentScanner scanner, long from, long to) {
        if (from > segment.certain()) {
            return;
        }
        if (from <= segment.lastSeq()) {
            damaged(segment, scanner.damage(scanner.seenTo(), segment.end()), segment.end());
        }
        missing(from, Math.min(to, segment.certain()));
    }

    private boolean accepted(SegmentScanner scanner, long seq, Predicate<PushRecord> more) {
        PushRecord push;
        try {
            push = RecordForm.decode(seq, scanner.payload());
        } catch (RecordFormException e) {
            corruption.broken(seq, String.valueOf(e.getMessage()));
            return true;
        }
        return more.test(push);
    }

    /** Where to begin to look for {@code from}. */
    private long start(Segment segment, SegmentFile file, long from) throws IOException {
        Place place = places.get(slot(from));
        if (place != null && place.segment() == segment && place.seq() == from) {
            return place.offset();
        }
        if (from <= segment.firstSeq()) {
            return SegmentFormat.HEADER_LENGTH;
        }
        SparseIndex index = segment.index();
        return (index == null ? index(segment, file) : index).floor(from);
    }

    /**
     * Makes a segment's index by looking through it. Where blocks can't be read it has fewer places, and a reading begins earlier;
     * where that takes long, what there is by then serves this reading alone.
     */
    private SparseIndex index(Segment segment, SegmentFile file) throws IOException {
        SparseIndex index = new SparseIndex();
        long end = Math.min(segment.end(), file.size());
        long until = System.nanoTime() + LOOKING_NANOS;
        UnreadablePolicy policy = block -> isLost(segment, file, block) || System.nanoTime() - until < 0;
        try (SegmentScanner scanner =
                new SegmentScanner(file, segment.marker(), SegmentFormat.HEADER_LENGTH, end, policy)) {
            while (scanner.next()) {
                if (scanner.kind() == SegmentFormat.PUSH) {
                    index.add(scanner.seq(), scanner.offset());
                }
            }
            failing.read(segment, SegmentFormat.HEADER_LENGTH, end, scanner.bytes()::isUnreadable);
            segment.index(index);
        } catch (IOException e) {
            if (e instanceof ClosedChannelException || System.nanoTime() - until < 0) {
                throw e;
            }
            LOG.debug("{} is not looked through to its end: {}", segment, e.toString());
        }
        return index;
    }

    private void remember(Segment segment, long seq, long offset) {
        places.set(slot(seq), new Place(segment, seq, offset));
    }

    private static int slot(long seq) {
        return (int) (seq & (PLACES - 1));
    }

    private void damaged(Segment segment, String what, long offset) {
        if (corruption.damaged(segment.name(), "found " + what + " before byte " + offset)) {
            directory.marks().keepAside(segment.path());
        }
    }

    /** Reports what is not there, but for what retention has removed meanwhile. */
    private void missing(long from, long to) {
        long kept = Math.max(from, segments.firstSeq());
        if (kept <= to) {
            corruption.missing(kept, to);
        }
    }
}
