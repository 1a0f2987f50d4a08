package dev.holdfast.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The pushes of the group that a log ends in. Nothing says that its sync came back, and when it failed, that the bytes which
 * are read are the disk's: they don't count before they are written once more, into a new segment. Of every earlier group the
 * beginning of the next one says that it is durable.
 */
final class LastGroup {
    private final List<UnprovenPush> pushes = new ArrayList<>();

    /** A push in the form in which it is kept. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record UnprovenPush(long seq, byte[] form) {}

    void add(long seq, byte[] form) {
        pushes.add(new UnprovenPush(seq, form));
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
            segment.push(push.form(), push.seq(), Digest.of(push.seq(), ByteBuffer.wrap(push.form())));
        }
    }
}
