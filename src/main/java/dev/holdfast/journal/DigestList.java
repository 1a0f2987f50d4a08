package dev.holdfast.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Digests of pushes, each with its position, growing. Changed by one thread; while nobody changes it, it is read by any. */
final class DigestList {
    private static final int FIRST_CAPACITY = 1024;

    private long[] digests = new long[FIRST_CAPACITY];
    private long[] seqs = new long[FIRST_CAPACITY];
    private int count;

    /** Takes all memory that it needs before it changes anything. */
    void add(long digest, long seq) {
        if (count == digests.length) {
            long[] more = Arrays.copyOf(digests, 2 * count);
            seqs = Arrays.copyOf(seqs, 2 * count);
            digests = more;
        }
        digests[count] = digest;
        seqs[count++] = seq;
    }

    void removeNewest() {
        count--;
    }

    /** Forgets all of them, and keeps the memory. */
    void clear() {
        count = 0;
    }

    int count() {
        return count;
    }

    long[] digests() {
        return digests;
    }

    long[] seqs() {
        return seqs;
    }

    /** By position, from {@code firstSeq} on; 0 where there is no push. */
    long[] byPosition(long firstSeq, long lastSeq) {
        long[] all = new long[Math.toIntExact(lastSeq - firstSeq + 1)];
        for (int i = 0; i < count; i++) {
            all[Math.toIntExact(seqs[i] - firstSeq)] = digests[i];
        }
        return all;
    }

    /**
     * Those of the pushes at {@code from} to {@code to}, both included: as the segment was sealed with them, else made again
     * from the pushes. What is damaged is left out.
     *
     * @throws IOException when the disk can't be read
     */
    static DigestList of(LogDisk disk, Segment segment, long from, long to) throws IOException {
        try (SegmentFile file = new SegmentFile(disk, segment.path())) {
            DigestList sealed = segment.isSealed() ? sealed(segment, file, from, to) : null;
            return sealed == null ? made(segment, file, from, to) : sealed;
        }
    }

    private static @Nullable DigestList sealed(Segment segment, SegmentFile file, long from, long to)
            throws IOException {
        try (SegmentScanner scanner = new SegmentScanner(file, segment.marker(), segment.end(), file.size())) {
            if (!scanner.next() || scanner.kind() != SegmentFormat.DIGESTS) {
                return null;
            }
            DigestList found = new DigestList();
            ByteBuffer payload = scanner.payload();
            for (long seq = segment.firstSeq(); payload.remaining() >= Long.BYTES; seq++) {
                long digest = payload.getLong();
                if (digest != 0 && seq >= from && seq <= to) {
                    found.add(digest, seq);
                }
            }
            return found;
        }
    }

    private static DigestList made(Segment segment, SegmentFile file, long from, long to) throws IOException {
        try (SegmentScanner scanner = new SegmentScanner(
                file, segment.marker(), SegmentFormat.HEADER_LENGTH, Math.min(segment.end(), file.size()))) {
            DigestList found = new DigestList();
            while (scanner.next()) {
                long seq = scanner.seq();
                boolean asked = scanner.kind() == SegmentFormat.PUSH && seq >= from && seq <= to;
                long digest = asked ? Digest.of(seq, scanner.payload()) : 0;
                if (digest != 0) {
                    found.add(digest, seq);
                }
            }
            return found;
        }
    }
}
