package dev.holdfast.journal;

import dev.holdfast.push.PushRecord;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;

/**
 * The journal of a gateway that doesn't run, to be looked at: nothing on the disk is changed, and no gateway can be started on
 * it as long as it is open. The group that it ends in counts, as a gateway that is started would keep it. What turns out
 * damaged is logged, and so is what can't be read, which is passed as long as the disk gives what lies around. Every method
 * blocks; any thread.
 */
public final class StoppedJournal implements OrderedPushes, AutoCloseable {
    private final SegmentList segments;
    private final Map<Segment, SegmentInspection> inspections = new HashMap<>();
    private final CorruptionLog corruption =
            new CorruptionLog(new LogMeters(new SimpleMeterRegistry()).corrupt, (cause, what, times) -> {});
    private final LogDirectory directory;
    private final LogReader reader;
    private final LogRecovery found;

    private StoppedJournal(LogDirectory directory) {
        this.directory = directory;
        found = LogRecovery.of(directory, corruption);
        segments = new SegmentList(found.segments());
        reader = new LogReader(segments, directory, corruption);
        found.inspections().forEach(inspection -> inspections.put(inspection.segment(), inspection));
    }

    /**
     * Reads what an opening of the journal would read: footers, and the segments without one.
     *
     * @throws JournalException when it is no journal's directory, a gateway uses it, or another version of Holdfast wrote it
     */
    public static StoppedJournal open(Path path) {
        return open(path, LogDisk.REAL);
    }

    /** On another disk: the seam for tests. */
    static StoppedJournal open(Path path, LogDisk disk) {
        LogDirectory directory = LogDirectory.openReadOnly(path, disk);
        try {
            return new StoppedJournal(directory);
        } catch (RuntimeException | Error e) {
            directory.close();
            throw e;
        }
    }

    /** Oldest first. Damage inside of a sealed one is found by {@link #verify}. */
    public List<SegmentSummary> segments() {
        return segments.all().values().stream().map(this::summary).toList();
    }

    private SegmentSummary summary(Segment segment) {
        SegmentInspection inspection = inspections.get(segment);
        return new SegmentSummary(
                segment.name(),
                segment.firstSeq(),
                segment.lastSeq(),
                inspection == null ? 0 : inspection.pushes(),
                segment.length(),
                inspection != null && inspection.isSealed(),
                corruption.cause(segment.name()));
    }

    /**
     * Reads every record of every segment.
     *
     * @param knownSeq a position that was given to a push, as others know; 0: none
     */
    public JournalVerification verify(long knownSeq) {
        NavigableMap<Long, Segment> all = segments.all();
        long firstSeq = found.firstSeq();
        long lastSeq = Math.max(knownSeq, found.knownSeq());
        List<JournalDamage> damage = new ArrayList<>();
        if (!all.isEmpty() && firstSeq < all.firstKey()) {
            damage.add(missing(firstSeq, all.firstKey() - 1));
        }
        long records = 0;
        long pushes = 0;
        for (Segment segment : all.values()) {
            Long next = all.higherKey(segment.firstSeq());
            SegmentCheck check = SegmentCheck.of(directory.disk(), segment, next == null ? Long.MAX_VALUE : next);
            damage.addAll(check.damage());
            records += check.records();
            pushes += check.pushes();
            long last = next == null ? lastSeq : next - 1;
            if (check.nextSeq() <= last) {
                damage.add(missing(check.nextSeq(), last));
            }
        }
        long from = firstSeq == Long.MAX_VALUE ? 1 : firstSeq;
        if (all.isEmpty() && lastSeq >= from) {
            damage.add(missing(from, lastSeq));
        }
        return new JournalVerification(all.size(), records, pushes, size(), damage);
    }

    private JournalDamage missing(long from, long to) {
        return new JournalDamage(
                String.valueOf(directory.segment(from).getFileName()), 0, "no file that holds them", from, to);
    }

    /** What was noted last, as far as it can be read. */
    public Optional<byte[]> lastNote() {
        return Optional.ofNullable(found.note()).map(byte[]::clone);
    }

    /** See {@link Journal#read}. */
    @Override
    public List<PushRecord> read(long from, int maxPushes, long maxBytes) {
        return reader.read(from, maxPushes, maxBytes);
    }

    public long firstSeq() {
        return segments.firstSeq();
    }

    public long lastSeq() {
        return segments.lastSeq();
    }

    /** Of the positions {@code from} to {@code to}, both included, those that turned out to be lost until now. */
    public long lost(long from, long to) {
        return corruption.lost(from, to);
    }

    /** Bytes of the segments. */
    public long size() {
        return segments.size();
    }

    @Override
    public void close() {
        directory.close();
    }
}
