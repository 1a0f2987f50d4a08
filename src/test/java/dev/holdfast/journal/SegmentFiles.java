package dev.holdfast.journal;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** What lies where in a segment, by its format's drawing alone. */
final class SegmentFiles {
    private SegmentFiles() {}

    static long firstSeq(Path segment) {
        return Long.parseLong(String.valueOf(segment.getFileName()).substring(0, 20));
    }

    /** The positions from 1 on. */
    static List<Long> upTo(long seq) {
        return LongStream.rangeClosed(1, seq).boxed().toList();
    }

    /** Where the records of a segment begin. */
    static List<Integer> begins(byte[] segment) {
        List<Integer> begins = new ArrayList<>();
        ByteBuffer bytes = ByteBuffer.wrap(segment);
        for (int at = SegmentFormat.HEADER_LENGTH; at < segment.length; ) {
            begins.add(at);
            at += bytes.getInt(at + SegmentFormat.LENGTH_AT);
        }
        return begins;
    }

    /** Where they end. */
    static List<Integer> ends(byte[] segment) {
        List<Integer> ends = begins(segment);
        ends.remove(0);
        ends.add(segment.length);
        return ends;
    }

    /** Each bit that a reader goes by, and of the bytes between heads, which are but a checksum's, one after the other. */
    static List<Integer> bits(byte[] segment) {
        List<Integer> bits = new ArrayList<>();
        List<Integer> begins = begins(segment);
        begins.add(0, 0);
        for (int i = 0; i < begins.size(); i++) {
            int end = i + 1 < begins.size() ? begins.get(i + 1) : segment.length;
            boolean all = i == 0 || end - begins.get(i) == SegmentFormat.FOOTER_LENGTH;
            for (int at = begins.get(i); at < end; at++) {
                if (all || at < begins.get(i) + SegmentFormat.RECORD_HEAD) {
                    IntStream.range(8 * at, 8 * at + 8).forEach(bits::add);
                } else {
                    bits.add(8 * at + at % 8);
                }
            }
        }
        return bits;
    }

    static byte[] flipped(byte[] bytes, int bit) {
        byte[] flipped = bytes.clone();
        flipped[bit / 8] ^= (byte) (1 << bit % 8);
        return flipped;
    }
}
