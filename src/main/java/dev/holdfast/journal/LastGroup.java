package dev.holdfast.journal;

import dev.holdfast.push.RecordForm;
import dev.holdfast.push.RecordFormException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.List;

/**
 * The pushes of the group that a log ends in. Nothing says that its sync came back, and when it failed, that the bytes which
 * are read are the disk's: they don't count before they are written once more, into a new segment. Of every earlier group the
 * beginning of the next one says that it is durable.
 */
final class LastGroup {

    private final List<UnprovenPush> pushes = new ArrayList<>();

    /** A push in the form in which it is kept; its digest is 0 when that is none of this version's. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record UnprovenPush(long seq, byte[] form, long digest) {}

    /**
     * Reads it.
     *
     * @param from where it begins
     * @param end where the segment's last whole record ends
     * @param limit positions at or past it don't count
     * @throws IOException when something of it can't be read
     */
    static LastGroup read(LogDisk disk, Segment segment, long from, long end, long limit) throws IOException {
        LastGroup group = new LastGroup();
        try (FileChannel channel = disk.openToRead(segment.path());
                SegmentScanner scanner = new SegmentScanner(channel, segment.marker(), from, end)) {
            long next = segment.firstSeq();
            while (scanner.next()) {
                long seq = scanner.seq();
                if (scanner.kind() == SegmentFormat.PUSH && seq >= next && seq < limit) {
                    group.add(scanner);
                    next = seq + 1;
                }
            }
        }
        return group;
    }

    private void add(SegmentScanner scanner) {
        byte[] form = new byte[scanner.payload().remaining()];
        scanner.payload().get(form);
        pushes.add(new UnprovenPush(scanner.seq(), form, digest(scanner.seq(), form)));
    }

    private static long digest(long seq, byte[] form) {
        try {
            return Digest.of(RecordForm.decode(seq, ByteBuffer.wrap(form)));
        } catch (RecordFormException unreadable) {
            return 0;
        }
    }

    boolean isEmpty() {
        return pushes.isEmpty();
    }

    long firstSeq() {
        return pushes.get(0).seq();
    }

    long lastSeq() {
        return pushes.get(pushes.size() - 1).seq();
    }

    void writeTo(SegmentWriter segment) throws IOException {
        for (UnprovenPush push : pushes) {
            segment.push(push.form(), push.seq(), push.digest());
        }
    }

    void addTo(DuplicateIndex duplicates) {
        for (UnprovenPush push : pushes) {
            duplicates.add(push.digest(), push.seq());
        }
        duplicates.committed();
    }
}
