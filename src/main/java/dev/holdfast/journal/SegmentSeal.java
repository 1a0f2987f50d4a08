package dev.holdfast.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;

/** What completes a segment: its digests, if they are not too sparse, and its footer. Stateless; any thread. */
final class SegmentSeal {
    private SegmentSeal() {}

    /** Appends it to a segment that nobody writes to any more, where the channel stands. */
    static void append(Segment segment, FileChannel channel, DigestList digests, long noteAt, LogDisk disk)
            throws IOException {
        long positions = segment.lastSeq() - segment.firstSeq() + 1;
        boolean dense = positions <= 2L * digests.count();
        int length = SegmentFormat.FOOTER_LENGTH
                + (dense ? SegmentFormat.RECORD_HEAD + Math.toIntExact(Long.BYTES * positions) : 0);
        ByteBuffer seal = ByteBuffer.allocate(length);
        if (dense) {
            int start = SegmentFormat.begin(seal);
            long[] all = digests.byPosition(segment.firstSeq(), segment.lastSeq());
            seal.asLongBuffer().put(all);
            seal.position(seal.position() + Long.BYTES * all.length);
            SegmentFormat.end(seal, start, segment.marker(), segment.lastSeq(), SegmentFormat.DIGESTS, true);
        }
        SegmentFormat.putFooter(
                seal,
                new SegmentFormat.Footer(
                        segment.marker(), segment.lastSeq(), digests.count(), noteAt, dense ? segment.end() : 0));
        disk.write(channel, seal.flip());
        disk.sync(channel);
        segment.seal(channel.position());
    }

    /** Cuts off what is behind the end of a segment, and seals it; its digests are made again. */
    static void complete(Segment segment, long noteAt, LogDisk disk) throws IOException {
        DigestList digests = DigestList.of(disk, segment, segment.firstSeq(), segment.lastSeq());
        try (FileChannel channel = FileChannel.open(segment.path(), StandardOpenOption.WRITE)) {
            channel.truncate(segment.end()).position(segment.end());
            append(segment, channel, digests, noteAt, disk);
        }
    }
}
