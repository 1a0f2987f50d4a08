package dev.holdfast.journal;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Goes through the records of a segment from some record's beginning on, past whatever is damaged: a record is whole when its
 * marker, its length and its checksum are right, and after one that isn't the next whole one is searched for byte by byte.
 * What the disk doesn't give may count as damaged as well, see {@link UnreadablePolicy}. By one thread.
 */
final class SegmentScanner implements AutoCloseable {
    private final SegmentBytes bytes;
    private final long end;
    /** 0 while it is not known. */
    private int marker;

    private long next;
    private long before;
    private long offset;
    private int length;

    /**
     * @param marker what the segment's records carry; 0 when that is not known: then the first whole record tells
     * @param from where a record begins
     * @param end where records end; none reaches past it
     */
    SegmentScanner(SegmentFile file, int marker, long from, long end) {
        this(file, marker, from, end, UnreadablePolicy.NEVER);
    }

    /** @param policy which blocks that can't be read count as damaged */
    SegmentScanner(SegmentFile file, int marker, long from, long end, UnreadablePolicy policy) {
        this.bytes = new SegmentBytes(file, end, policy);
        this.marker = marker;
        this.end = end;
        this.next = from;
    }

    /** Goes to the next whole record; false when there is none. */
    boolean next() throws IOException {
        before = next;
        for (long at = next; at + SegmentFormat.RECORD_HEAD <= end; at++) {
            if (isWhole(at)) {
                return true;
            }
        }
        return false;
    }

    private boolean isWhole(long from) throws IOException {
        if (!hasLength(from)) {
            return false;
        }
        int claimed = bytes.getInt(from + SegmentFormat.LENGTH_AT);
        int checksum = bytes.getInt(from);
        long checked = from + SegmentFormat.MARKER_AT;
        // A wrong length is not to cost its memory.
        if (bytes.areMany(claimed) && checksum != bytes.checksumOfMany(checked, from + claimed)) {
            return false;
        }
        bytes.load(from, claimed);
        if (checksum != bytes.checksum(checked, from + claimed)) {
            return false;
        }
        marker = bytes.getInt(checked);
        offset = from;
        length = claimed;
        next = from + claimed;
        return true;
    }

    private boolean hasLength(long from) throws IOException {
        if (end - from < SegmentFormat.RECORD_HEAD) {
            return false;
        }
        bytes.load(from, SegmentFormat.RECORD_HEAD);
        if (marker != 0 && bytes.getInt(from + SegmentFormat.MARKER_AT) != marker) {
            return false;
        }
        int claimed = bytes.getInt(from + SegmentFormat.LENGTH_AT);
        return claimed >= SegmentFormat.RECORD_HEAD && claimed <= end - from;
    }

    /** Where the record before this one ends. */
    long before() {
        return before;
    }

    /** Where the whole records seen so far end. */
    long seenTo() {
        return next;
    }

    /** Whether there was something else between this record and the one before it. */
    boolean passedDamage() {
        return offset > before;
    }

    /** What lies from one byte up to another, and is no whole record. */
    String damage(long from, long to) {
        return bytes.hasUnreadable(from, to) ? "bytes that can't be read" : "something else than a whole record";
    }

    /** What it goes through: which of it could not be read. */
    SegmentBytes bytes() {
        return bytes;
    }

    /** What the records carry; 0 when there was none yet. */
    int marker() {
        return marker;
    }

    /** Where the record begins. */
    long offset() {
        return offset;
    }

    long seq() {
        return bytes.getLong(offset + SegmentFormat.SEQ_AT);
    }

    int kind() {
        return SegmentFormat.kind(bytes.get(offset + SegmentFormat.KIND_AT));
    }

    boolean isFirstOfGroup() {
        return SegmentFormat.isFirstOfGroup(bytes.get(offset + SegmentFormat.KIND_AT));
    }

    /** What the record holds; valid until the next call of {@link #next}. */
    ByteBuffer payload() {
        return bytes.slice(offset + SegmentFormat.RECORD_HEAD, offset + length);
    }

    /**
     * Whether what lies behind the last whole record looks like a record that was written whole: its marker is there and its
     * length fits. A write that was cut short leaves less.
     */
    boolean endsInDamage() throws IOException {
        return hasLength(next);
    }

    /** The seq that the record at {@link #seenTo()} claims; only when {@link #endsInDamage}. */
    long claimedSeq() {
        return bytes.getLong(next + SegmentFormat.SEQ_AT);
    }

    /** Gives back its memory; the file stays open. */
    @Override
    public void close() {
        bytes.close();
    }
}
