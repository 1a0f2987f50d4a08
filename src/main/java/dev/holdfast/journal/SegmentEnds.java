package dev.holdfast.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import org.jspecify.annotations.Nullable;

/** What a segment's file says at its two ends: its header, and its footer when it is sealed. Stateless; any thread. */
final class SegmentEnds {
    private SegmentEnds() {}

    /**
     * What the file's header says; null when it is none, or damaged.
     *
     * @param passesUnreadable one that can't be read counts as damaged
     */
    static SegmentFormat.@Nullable Header header(FileChannel channel, boolean passesUnreadable) throws IOException {
        return SegmentFormat.header(read(channel, 0, SegmentFormat.HEADER_LENGTH, passesUnreadable));
    }

    /** What is wrong with the header of a segment that is named after {@code firstSeq}; null when nothing is. */
    static @Nullable String headerDamage(SegmentFormat.@Nullable Header header, long firstSeq) {
        if (header == null) {
            return "its header is none";
        }
        return header.firstSeq() == firstSeq ? null : "its header says that it begins with push " + header.firstSeq();
    }

    /** What the segment's records carry: without a header the first of them tells, and the footer when there is none. */
    static int marker(FileChannel channel, SegmentFormat.@Nullable Header header, UnreadablePolicy policy)
            throws IOException {
        if (header != null) {
            return header.marker();
        }
        try (SegmentScanner scanner =
                new SegmentScanner(channel, 0, SegmentFormat.HEADER_LENGTH, channel.size(), policy)) {
            return scanner.next() ? scanner.marker() : 0;
        }
    }

    /** What the file's footer says; null when it has none that a segment with this marker would have. */
    static SegmentFormat.@Nullable Footer footer(FileChannel channel, int marker, boolean passesUnreadable)
            throws IOException {
        long size = channel.size();
        SegmentFormat.Footer footer = SegmentFormat.footer(
                read(channel, size - SegmentFormat.FOOTER_LENGTH, SegmentFormat.FOOTER_LENGTH, passesUnreadable));
        return footer != null && footer.marker() == marker && footer.endsIn(size) ? footer : null;
    }

    private static ByteBuffer read(FileChannel channel, long from, int bytes, boolean passesUnreadable)
            throws IOException {
        ByteBuffer found = ByteBuffer.allocate(bytes);
        try {
            while (from >= 0 && found.hasRemaining() && channel.read(found, from + found.position()) > 0) {
                // A read may bring less than there is.
            }
        } catch (ClosedChannelException e) {
            throw e;
        } catch (IOException e) {
            if (!passesUnreadable) {
                throw e;
            }
        }
        return found.flip();
    }
}
