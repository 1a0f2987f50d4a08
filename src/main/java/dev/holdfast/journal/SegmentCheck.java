package dev.holdfast.journal;

import dev.holdfast.push.RecordForm;
import dev.holdfast.push.RecordFormException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads every record of a segment, whatever its footer says, and finds what is not whole. What lies torn at the end of the
 * newest one is no damage: it was being written when the process died. By one thread.
 */
final class SegmentCheck {
    private final Segment segment;
    /** Where the next segment begins; past every position for the newest one. */
    private final long limit;

    private final List<JournalDamage> damage = new ArrayList<>();
    /** The position that comes next. */
    private long expected;

    private long records;
    private long pushes;
    /** The kind of the last whole record. */
    private int lastKind;

    private boolean passedLimit;

    private SegmentCheck(Segment segment, long limit) {
        this.segment = segment;
        this.limit = limit;
        this.expected = segment.firstSeq();
    }

    /** @param limit where the next segment begins; {@link Long#MAX_VALUE}: there is none */
    static SegmentCheck of(LogDisk disk, Segment segment, long limit) {
        SegmentCheck check = new SegmentCheck(segment, limit);
        try (SegmentFile file = new SegmentFile(disk, segment.path())) {
            String header = SegmentFormat.headerDamage(file.header(true), segment.firstSeq());
            if (header != null) {
                check.damaged(0, header, check.expected - 1);
            }
            check.scan(file, file.size());
        } catch (IOException e) {
            check.damaged(0, "it can't be read: " + e, check.isNewest() ? check.expected - 1 : limit - 1);
        }
        return check;
    }

    private void scan(SegmentFile file, long size) throws IOException {
        try (SegmentScanner scanner = new SegmentScanner(
                file, segment.marker(), SegmentFormat.HEADER_LENGTH, size, UnreadablePolicy.ALWAYS)) {
            while (!passedLimit && scanner.next()) {
                take(scanner);
            }
            if (!passedLimit) {
                end(scanner, size);
            }
        }
    }

    private void take(SegmentScanner scanner) {
        long seq = scanner.seq();
        boolean push = scanner.kind() == SegmentFormat.PUSH;
        if (push && seq >= limit) {
            passedLimit = true;
            return;
        }
        long seenBefore = Math.min(push ? seq - 1 : seq, limit - 1);
        if (scanner.passedDamage()) {
            damaged(scanner.before(), scanner.damage(scanner.before(), scanner.offset()), seenBefore);
        } else if (seenBefore >= expected) {
            damaged(scanner.offset(), "a record behind a gap", seenBefore);
        }
        records++;
        lastKind = scanner.kind();
        if (push && seq >= expected) {
            takePush(scanner, seq);
        }
    }

    private void takePush(SegmentScanner scanner, long seq) {
        try {
            RecordForm.decode(seq, scanner.payload());
            pushes++;
            expected = seq + 1;
        } catch (RecordFormException e) {
            damaged(scanner.offset(), String.valueOf(e.getMessage()), seq);
        }
    }

    private void end(SegmentScanner scanner, long size) throws IOException {
        boolean sealed = lastKind == SegmentFormat.FOOTER;
        boolean sealing = lastKind == SegmentFormat.DIGESTS;
        long all = isNewest() ? expected - 1 : limit - 1;
        long left = size - scanner.seenTo();
        if ((sealed && left > 0) || (sealing && left >= SegmentFormat.FOOTER_LENGTH)) {
            damaged(scanner.seenTo(), "something else than a footer", all);
        } else if (left > 0 && scanner.endsInDamage()) {
            boolean claimed = isNewest() && scanner.claimedSeq() == expected;
            damaged(scanner.seenTo(), scanner.damage(scanner.seenTo(), size), claimed ? expected : all);
        } else if (left > 0 && scanner.bytes().hasUnreadable(scanner.seenTo(), size)) {
            damaged(scanner.seenTo(), scanner.damage(scanner.seenTo(), size), all);
        } else if (!sealed && all >= expected) {
            damaged(scanner.seenTo(), "an early end", all);
        }
    }

    /** @param lastGone the positions up to it that have not been seen are gone */
    private void damaged(long at, String what, long lastGone) {
        long last = Math.max(expected - 1, lastGone);
        damage.add(new JournalDamage(segment.name(), at, what, expected, last));
        expected = last + 1;
    }

    private boolean isNewest() {
        return limit == Long.MAX_VALUE;
    }

    List<JournalDamage> damage() {
        return damage;
    }

    /** The position behind the last one that it holds, or has lost. */
    long nextSeq() {
        return expected;
    }

    long records() {
        return records;
    }

    long pushes() {
        return pushes;
    }
}
