package dev.holdfast.journal;

import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What an opening finds in a segment: what its footer says, or else what its records do, all of which are read then. By one
 * thread; of the disk nothing is changed.
 */
final class SegmentInspection {
    private static final Logger LOG = LoggerFactory.getLogger(SegmentInspection.class);

    private final LogDisk disk;
    private final long limit;
    private final CorruptionLog corruption;
    private final Segment segment;
    private SegmentFormat.@Nullable Footer footer;
    private @Nullable String damage;
    private long noteAt;
    private byte @Nullable [] note;
    private long lastGroupAt = SegmentFormat.HEADER_LENGTH;
    private LastGroup lastGroup = new LastGroup();

    /** Where the last whole record ends that counts. */
    private long end = SegmentFormat.HEADER_LENGTH;

    private long pushes;
    private long lastSeq;
    private long claimedSeq;
    /** Whether all that counts in it was durable before it was left. */
    private boolean complete;

    private boolean passedLimit;

    private SegmentInspection(
            LogDisk disk, Path path, long firstSeq, long limit, int marker, CorruptionLog corruption) {
        this.disk = disk;
        this.corruption = corruption;
        this.limit = limit;
        this.lastSeq = firstSeq - 1;
        this.segment = new Segment(path, firstSeq, marker);
    }

    /**
     * @param firstSeq the position that the segment is named after
     * @param limit where the next segment begins
     * @param policy which blocks that can't be read count as damaged
     * @throws JournalException when a newer version wrote it
     * @throws IOException when others can't be read, or something of what it ends in
     */
    static SegmentInspection of(
            LogDisk disk, Path path, long firstSeq, long limit, CorruptionLog corruption, UnreadablePolicy policy)
            throws IOException {
        try (SegmentFile file = new SegmentFile(disk, path)) {
            boolean passesUnreadable = policy != UnreadablePolicy.NEVER;
            SegmentFormat.Header header = file.header(passesUnreadable);
            int marker = marker(file, header, policy);
            SegmentInspection found = new SegmentInspection(disk, path, firstSeq, limit, marker, corruption);
            found.damage = SegmentFormat.headerDamage(header, firstSeq);
            SegmentFormat.Footer footer = file.footer(marker, passesUnreadable);
            if (footer != null) {
                found.sealed(footer, file.size());
            } else {
                found.scan(file, file.size(), policy);
            }
            return found;
        }
    }

    /** What the segment's records carry: without a header the first of them tells, and the footer when there is none. */
    private static int marker(SegmentFile file, SegmentFormat.@Nullable Header header, UnreadablePolicy policy)
            throws IOException {
        if (header != null) {
            return header.marker();
        }
        try (SegmentScanner scanner = new SegmentScanner(file, 0, SegmentFormat.HEADER_LENGTH, file.size(), policy)) {
            return scanner.next() ? scanner.marker() : 0;
        }
    }

    private void sealed(SegmentFormat.Footer found, long size) {
        footer = found;
        complete = true;
        noteAt = found.noteAt();
        pushes = found.pushes();
        end = found.recordsEnd(size);
        lastSeq = Math.max(segment.firstSeq() - 1, Math.min(found.lastSeq(), limit - 1));
        segment.grownTo(lastSeq, end);
        segment.seal(size);
    }

    private void scan(SegmentFile file, long size, UnreadablePolicy policy) throws IOException {
        SparseIndex index = new SparseIndex();
        try (SegmentScanner scanner =
                new SegmentScanner(file, segment.marker(), SegmentFormat.HEADER_LENGTH, size, policy)) {
            while (!complete && !passedLimit && scanner.next()) {
                if (scanner.passedDamage()) {
                    damaged(scanner.damage(scanner.before(), scanner.offset()) + " before byte " + scanner.offset());
                }
                take(scanner, index, size);
            }
            if (!complete && !passedLimit) {
                lookBehind(scanner, size);
            }
            if (scanner.bytes().hasUnreadable(0, size)) {
                foundUnreadable(scanner, size);
            }
        }
        segment.index(index);
        segment.grownTo(lastSeq, end, size);
    }

    private void foundUnreadable(SegmentScanner scanner, long size) throws IOException {
        if (!complete && scanner.bytes().hasUnreadable(lastGroupAt, size)) {
            throw new IOException("some of what it ends in can't be read");
        }
        damaged("bytes that can't be read");
    }

    private void take(SegmentScanner scanner, SparseIndex index, long size) {
        long seq = scanner.seq();
        if (scanner.kind() == SegmentFormat.PUSH && seq >= limit) {
            passedLimit = true;
            return;
        }
        if (scanner.kind() == SegmentFormat.DIGESTS || scanner.kind() == SegmentFormat.FOOTER) {
            // Written when all before it was durable. Digests alone are a seal that was cut short, which is made again.
            complete = true;
            if (scanner.kind() == SegmentFormat.FOOTER || size - scanner.seenTo() >= SegmentFormat.FOOTER_LENGTH) {
                damaged("its footer is none");
            }
            return;
        }
        if (scanner.isFirstOfGroup()) {
            lastGroupAt = scanner.offset();
            lastGroup = new LastGroup();
        }
        if (scanner.kind() == SegmentFormat.PUSH && seq > lastSeq) {
            index.add(seq, scanner.offset());
            // Whether what lies in bytes that can't be read is lost, whoever needs it finds out.
            if (seq > lastSeq + 1 && !scanner.bytes().hasUnreadable(scanner.before(), scanner.offset())) {
                corruption.missing(lastSeq + 1, seq - 1);
            }
            lastSeq = seq;
            pushes++;
            lastGroup.add(seq, bytes(scanner));
        } else if (scanner.kind() == SegmentFormat.NOTE) {
            noteAt = scanner.offset();
            note = bytes(scanner);
        }
        end = scanner.seenTo();
    }

    private static byte[] bytes(SegmentScanner scanner) {
        byte[] bytes = new byte[scanner.payload().remaining()];
        scanner.payload().get(bytes);
        return bytes;
    }

    /** What is behind the last whole record: torn when it was being written, or damaged. */
    private void lookBehind(SegmentScanner scanner, long size) throws IOException {
        if (scanner.seenTo() == size) {
            return;
        }
        if (scanner.endsInDamage()) {
            damaged("something else than a whole record at byte " + scanner.seenTo());
            long claimed = scanner.claimedSeq();
            claimedSeq = claimed == lastSeq + 1 && claimed < limit ? claimed : 0;
        } else {
            LOG.info("{} ends in {} bytes that are no whole record", segment, size - scanner.seenTo());
        }
    }

    private void damaged(String what) {
        damage = damage == null ? "found " + what : damage;
    }

    Segment segment() {
        return segment;
    }

    /** What is wrong with it; null when nothing is. */
    @Nullable
    String damage() {
        return damage;
    }

    /** A push behind its last one was stored: what is left of that is what follows, if anything does. */
    void lacks(long seq) {
        if (segment.length() > end) {
            damaged("no whole record of push " + seq + ", which was stored");
        }
    }

    /** Whether it has a footer. */
    boolean isSealed() {
        return footer != null;
    }

    /** How many pushes it holds, as far as it says; damaged ones of a sealed segment included. */
    long pushes() {
        return pushes;
    }

    /** The position behind its last one that a damaged record at the end claims; 0 when none does. */
    long claimedSeq() {
        return claimedSeq;
    }

    /** Where the newest note begins, 0 when there is none. */
    long noteAt() {
        return noteAt;
    }

    /** The newest note; null when there is none, or it can't be read. */
    byte @Nullable [] note() throws IOException {
        if (note != null || noteAt == 0) {
            return note;
        }
        try (SegmentFile file = new SegmentFile(disk, segment.path());
                SegmentScanner scanner = new SegmentScanner(file, segment.marker(), noteAt, end)) {
            if (!scanner.next() || scanner.passedDamage() || scanner.kind() != SegmentFormat.NOTE) {
                return null;
            }
            note = bytes(scanner);
            return note;
        }
    }

    /** Takes out the pushes of the last group, unless it is known to be durable: the segment ends before it. Null: there are none. */
    @Nullable
    LastGroup takeLastGroup() {
        if (complete || lastGroup.isEmpty()) {
            return null;
        }
        segment.grownTo(lastGroup.firstSeq() - 1, lastGroupAt, segment.length());
        noteAt = noteAt >= lastGroupAt ? 0 : noteAt;
        return lastGroup;
    }
}
