package dev.holdfast.journal;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a segment, one file of the log. All numbers are big-endian. The file is named after the position of its first
 * push, twenty digits and {@code .segment}, and is only ever appended to: a header, then records. Where the next segment's
 * positions begin, this one's end: a record at or past them doesn't count.
 *
 * <pre>
 * header
 *  0  magic        8 bytes   "HOLDFAST"
 *  8  version      4 bytes   {@value #VERSION}
 * 12  marker       4 bytes   drawn for this segment, never 0
 * 16  first        8 bytes   position of its first push
 * 24  spare        4 bytes   0
 * 28  checksum     4 bytes   CRC32C of bytes 0 to 27
 *
 * record
 *  0  checksum     4 bytes   CRC32C of all that follows
 *  4  marker       4 bytes   the header's: where a reader that met damage finds the next record
 *  8  length       4 bytes   of the whole record, these bytes included
 * 12  seq          8 bytes   a push's position; of any other record, the newest position before it
 * 20  kind         1 byte    1 push, 2 note, 3 digests, 4 footer; + 128 for the first record of a group
 * 21  payload                up to the record's length
 *       push                 see {@link dev.holdfast.push.RecordForm}
 *       note                 opaque: where each consumer goes on
 *       digests    8 bytes   for each position from the header's first on; 0 where there is no push
 *       footer     8 bytes   how many pushes there are
 *                  8 bytes   where the newest note begins, 0 when there is none
 *                  8 bytes   where the digests begin, 0 when there are none
 * </pre>
 *
 * Records of one group were made durable by one sync; a group is begun only when the one before it is durable. The footer is
 * the last record of a sealed segment, {@value #FOOTER_LENGTH} bytes long, so it is found from the end. Of a later version
 * the header's first twelve bytes and its checksum stay where they are. Stateless; any thread.
 */
final class SegmentFormat {
    static final int VERSION = 1;
    static final int HEADER_LENGTH = 32;
    static final int RECORD_HEAD = 21;
    /** No push takes less. */
    static final int LEAST_RECORD = 64;

    static final int FOOTER_LENGTH = RECORD_HEAD + 24;

    static final int PUSH = 1;
    static final int NOTE = 2;
    static final int DIGESTS = 3;
    static final int FOOTER = 4;
    private static final int FIRST_OF_GROUP = 128;

    static final int MARKER_AT = 4;
    static final int LENGTH_AT = 8;
    static final int SEQ_AT = 12;
    static final int KIND_AT = 20;

    private static final long MAGIC =
            ByteBuffer.wrap("HOLDFAST".getBytes(StandardCharsets.US_ASCII)).getLong();
    private static final int HEADER_CHECKSUM_AT = 28;

    /** What a header says. */
    record Header(int version, int marker, long firstSeq) {}

    /** What a footer says, and the marker it carries. */
    record Footer(int marker, long lastSeq, long pushes, long noteAt, long digestsAt) {
        /** Whether it fits into a segment of that many bytes. */
        boolean endsIn(long size) {
            long most = size - FOOTER_LENGTH;
            return noteAt >= 0 && noteAt < most && digestsAt >= 0 && digestsAt < most;
        }

        /** Where the pushes and notes end of a segment of that many bytes. */
        long recordsEnd(long size) {
            return digestsAt == 0 ? size - FOOTER_LENGTH : digestsAt;
        }
    }

    private SegmentFormat() {}

    static void putHeader(ByteBuffer target, int marker, long firstSeq) {
        int start = target.position();
        target.putLong(MAGIC).putInt(VERSION).putInt(marker).putLong(firstSeq).putInt(0);
        target.putInt(checksum(target, start, start + HEADER_CHECKSUM_AT));
    }

    /** What the header at the beginning of {@code source} says; null when it is none, or damaged. */
    static @Nullable Header header(ByteBuffer source) {
        if (source.limit() < HEADER_LENGTH
                || source.getLong(0) != MAGIC
                || source.getInt(HEADER_CHECKSUM_AT) != checksum(source, 0, HEADER_CHECKSUM_AT)) {
            return null;
        }
        return new Header(source.getInt(8), source.getInt(MARKER_AT + 8), source.getLong(16));
    }

    /** What is wrong with the header of a segment that is named after {@code firstSeq}; null when nothing is. */
    static @Nullable String headerDamage(@Nullable Header header, long firstSeq) {
        if (header == null) {
            return "its header is none";
        }
        return header.firstSeq() == firstSeq ? null : "its header says that it begins with push " + header.firstSeq();
    }

    /** Leaves room for a record's head; {@link #end} fills it in once the payload is there. Returns where it begins. */
    static int begin(ByteBuffer target) {
        int start = target.position();
        target.position(start + RECORD_HEAD);
        return start;
    }

    /** Completes the record that begins at {@code start} and ends at {@code target}'s position. */
    static void end(ByteBuffer target, int start, int marker, long seq, int kind, boolean firstOfGroup) {
        target.putInt(start + MARKER_AT, marker);
        target.putInt(start + LENGTH_AT, target.position() - start);
        target.putLong(start + SEQ_AT, seq);
        target.put(start + KIND_AT, (byte) (firstOfGroup ? kind + FIRST_OF_GROUP : kind));
        target.putInt(start, checksum(target, start + MARKER_AT, target.position()));
    }

    static void putFooter(ByteBuffer target, Footer footer) {
        int start = begin(target);
        target.putLong(footer.pushes()).putLong(footer.noteAt()).putLong(footer.digestsAt());
        end(target, start, footer.marker(), footer.lastSeq(), FOOTER, true);
    }

    /** What the footer says that is all of {@code source}; null when it is none, or damaged. */
    static @Nullable Footer footer(ByteBuffer source) {
        if (source.limit() != FOOTER_LENGTH
                || source.getInt(LENGTH_AT) != FOOTER_LENGTH
                || kind(source.get(KIND_AT)) != FOOTER
                || source.getInt(0) != checksum(source, MARKER_AT, FOOTER_LENGTH)) {
            return null;
        }
        return new Footer(
                source.getInt(MARKER_AT),
                source.getLong(SEQ_AT),
                source.getLong(RECORD_HEAD),
                source.getLong(RECORD_HEAD + 8),
                source.getLong(RECORD_HEAD + 16));
    }

    static int kind(byte kind) {
        return kind & (FIRST_OF_GROUP - 1);
    }

    static boolean isFirstOfGroup(byte kind) {
        return (kind & FIRST_OF_GROUP) != 0;
    }

    /** Of the bytes of {@code source} from {@code from} up to {@code to}, which is left out. */
    static int checksum(ByteBuffer source, int from, int to) {
        CRC32C crc = new CRC32C();
        crc.update(source.duplicate().limit(to).position(from));
        return (int) crc.getValue();
    }
}
