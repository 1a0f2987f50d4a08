package dev.holdfast.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/**
 * A push as a stopped gateway's journal holds it: read as src/site/markdown/journal-format.md tells, with nothing of the gateway's own
 * code.
 */
record KeptPush(long seq, BodyDigest digest) {
    private static final int HEADER = 32;
    private static final int RECORD_HEAD = 21;
    private static final int PUSH = 1;
    private static final int TEXTS = 8;
    private static final String SUFFIX = ".segment";

    /** Every whole push in the journal that counts. In each segment that ends with the first record that is not whole. */
    static List<KeptPush> all(Path journalDirectory) {
        try {
            SortedMap<Long, Path> segments = segments(journalDirectory);
            List<KeptPush> kept = new ArrayList<>();
            for (long first : segments.keySet()) {
                SortedMap<Long, Path> later = segments.tailMap(first + 1);
                read(
                        ByteBuffer.wrap(Files.readAllBytes(segments.get(first))),
                        later.isEmpty() ? Long.MAX_VALUE : later.firstKey(),
                        kept);
            }
            return kept;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static SortedMap<Long, Path> segments(Path directory) throws IOException {
        SortedMap<Long, Path> segments = new TreeMap<>();
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.toList()) {
                String name = String.valueOf(file.getFileName());
                if (name.endsWith(SUFFIX)) {
                    segments.put(Long.parseLong(name.substring(0, name.length() - SUFFIX.length())), file);
                }
            }
        }
        return segments;
    }

    /** @param limit where the next segment's positions begin, and those of this one end */
    private static void read(ByteBuffer segment, long limit, List<KeptPush> kept) {
        int marker = segment.getInt(12);
        for (int at = HEADER; isWhole(segment, at, marker); at += segment.getInt(at + 8)) {
            long seq = segment.getLong(at + 12);
            if ((segment.get(at + 20) & 127) == PUSH) {
                if (seq >= limit) {
                    return;
                }
                kept.add(new KeptPush(
                        seq, BodyDigest.of(body(segment, at + RECORD_HEAD, at + segment.getInt(at + 8)))));
            }
        }
    }

    private static boolean isWhole(ByteBuffer segment, int at, int marker) {
        if (segment.limit() - at < RECORD_HEAD || segment.getInt(at + 4) != marker) {
            return false;
        }
        int length = segment.getInt(at + 8);
        if (length < RECORD_HEAD || length > segment.limit() - at) {
            return false;
        }
        CRC32C checksum = new CRC32C();
        checksum.update(segment.duplicate().position(at + 4).limit(at + length));
        return segment.getInt(at) == (int) checksum.getValue();
    }

    private static byte[] body(ByteBuffer segment, int from, int to) {
        int at = from + (segment.get(from) == 2 ? 28 : 20);
        for (int text = 0; text < TEXTS; text++) {
            at += 4 + (segment.getInt(at) >> 1) * ((segment.getInt(at) & 1) == 0 ? 1 : 2);
        }
        byte[] body = new byte[to - at];
        segment.get(at, body);
        return body;
    }
}
