package dev.holdfast.journal;

import static dev.holdfast.journal.AppendResults.push;
import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.holdfast.push.PushRecord;
import dev.holdfast.push.RecordForm;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * A journal of one segment of any content is opened, or refused with a {@link JournalException}; a push that is read from it
 * stands there, byte for byte, in a record whose checksum is right, and positions only go up. An input is the segment itself
 * behind a byte 0, or changes to a sound one: four bytes each, what is done, where, and with which byte.
 */
public final class SegmentFuzz {
    private static final int MARKER = 0x1234abcd;
    private static final int PUSHES = 5;
    /** Larger ones don't grow on. */
    private static final int LARGE = 16 << 10;

    private static final Path DIRECTORY = directory();
    private static final Path SEGMENT = DIRECTORY.resolve("00000000000000000001.segment");

    private SegmentFuzz() {}

    private static Path directory() {
        try {
            Path directory = Files.createTempDirectory("holdfast");
            directory.toFile().deleteOnExit();
            directory.resolve("lock").toFile().deleteOnExit();
            directory.resolve("00000000000000000001.segment").toFile().deleteOnExit();
            return directory;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static List<String> seeds() {
        return List.of(
                "\1",
                "\2",
                "\0" + new String(sound(true), ISO_8859_1),
                "\0" + new String(sound(false), ISO_8859_1),
                "\1\0\0\60\177",
                "\1\2\1\0\0",
                "\2\0\0\60\0\5\0\0\0",
                "\2\6\0\1\0\6\0\0\0");
    }

    /** Loads what the inputs need, before they are timed. */
    public static void fuzzerInitialize() {
        seeds().forEach(seed -> fuzzerTestOneInput(seed.getBytes(ISO_8859_1)));
    }

    public static void fuzzerTestOneInput(byte[] data) {
        byte[] segment = segment(data);
        List<PushRecord> pushes = new ArrayList<>();
        try {
            Files.write(SEGMENT, segment);
            try (StoppedJournal journal = StoppedJournal.open(DIRECTORY)) {
                long next = journal.firstSeq();
                for (List<PushRecord> some = journal.read(next, 2, 100); !some.isEmpty(); ) {
                    pushes.addAll(some);
                    next = some.get(some.size() - 1).seq() + 1;
                    some = journal.read(next, 2, 100);
                }
                journal.verify(0);
                journal.segments();
                journal.lastNote();
            }
        } catch (JournalException e) {
            if (!pushes.isEmpty()) {
                throw e;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        requireWhole(pushes, segment);
    }

    private static void requireWhole(List<PushRecord> pushes, byte[] segment) {
        long before = 0;
        for (PushRecord push : pushes) {
            if (push.seq() <= before) {
                throw new AssertionError("found position " + push.seq() + " behind " + before);
            }
            before = push.seq();
            if (!stands(push, segment)) {
                throw new AssertionError("found " + push + ", which no whole record of the segment holds");
            }
        }
    }

    /** By the format's drawing alone. */
    private static boolean stands(PushRecord push, byte[] bytes) {
        ByteBuffer segment = ByteBuffer.wrap(bytes);
        for (int at = 0; at + 21 <= segment.limit(); at++) {
            int length = segment.getInt(at + 8);
            if (length < 21 + push.body().length
                    || length > segment.limit() - at
                    || segment.getLong(at + 12) != push.seq()
                    || (segment.get(at + 20) & 127) != 1) {
                continue;
            }
            byte[] record = Arrays.copyOfRange(bytes, at, at + length);
            CRC32C crc = new CRC32C();
            crc.update(record, 4, length - 4);
            byte[] tail = Arrays.copyOfRange(record, length - push.body().length, length);
            if ((int) crc.getValue() == segment.getInt(at) && Arrays.equals(tail, push.body())) {
                return true;
            }
        }
        return false;
    }

    private static byte[] segment(byte[] data) {
        if (data.length == 0 || data[0] == 0) {
            return Arrays.copyOfRange(data, Math.min(1, data.length), data.length);
        }
        byte[] sound = sound(data[0] % 2 == 0);
        List<Integer> begins = SegmentFiles.begins(sound);
        begins.add(0, 0);
        byte[] changed = sound;
        for (int i = 1; i + 4 <= data.length && i < 200; i += 4) {
            int place = ((data[i + 1] & 0xff) << 8) | (data[i + 2] & 0xff);
            changed = change(changed, data[i] & 0xff, place, data[i + 3], begins);
        }
        return changed;
    }

    private static byte[] change(byte[] segment, int what, int place, byte value, List<Integer> begins) {
        int at = segment.length == 0 ? 0 : place % segment.length;
        int record = begins.get(place % begins.size());
        return switch (what % 7) {
            case 0 -> set(segment, at, value);
            case 1 -> set(segment, at, (byte) (segment.length == 0 ? 0 : segment[at] ^ value));
            case 2 -> Arrays.copyOf(segment, at);
            case 3 -> joined(Arrays.copyOf(segment, at), new byte[] {value}, tail(segment, at));
            case 4 -> joined(Arrays.copyOf(segment, at), tail(segment, Math.min(segment.length, at + (value & 0xff))));
            case 5 -> repaired(segment, record);
            default ->
                segment.length > LARGE ? segment : joined(segment, tail(segment, Math.min(segment.length, record)));
        };
    }

    private static byte[] set(byte[] segment, int at, byte value) {
        byte[] changed = segment.clone();
        if (at < changed.length) {
            changed[at] = value;
        }
        return changed;
    }

    private static byte[] tail(byte[] segment, int from) {
        return Arrays.copyOfRange(segment, from, segment.length);
    }

    private static byte[] joined(byte[]... parts) {
        ByteBuffer all = ByteBuffer.allocate(
                Arrays.stream(parts).mapToInt(part -> part.length).sum());
        Arrays.stream(parts).forEach(all::put);
        return all.array();
    }

    /** With the right checksum for whatever the record, or the header, says now. */
    private static byte[] repaired(byte[] segment, int record) {
        byte[] changed = segment.clone();
        ByteBuffer bytes = ByteBuffer.wrap(changed);
        if (record == 0 && changed.length >= SegmentFormat.HEADER_LENGTH) {
            bytes.putInt(28, SegmentFormat.checksum(bytes, 0, 28));
        } else if (record > 0 && record + SegmentFormat.RECORD_HEAD <= changed.length) {
            int length = bytes.getInt(record + SegmentFormat.LENGTH_AT);
            if (length >= SegmentFormat.RECORD_HEAD && length <= changed.length - record) {
                bytes.putInt(record, SegmentFormat.checksum(bytes, record + 4, record + length));
            }
        }
        return changed;
    }

    private static byte[] sound(boolean sealed) {
        ByteBuffer bytes = ByteBuffer.allocate(4096);
        SegmentFormat.putHeader(bytes, MARKER, 1);
        int note = bytes.position();
        record(bytes, 0, SegmentFormat.NOTE, new byte[] {1, 2, 3});
        for (int seq = 1; seq <= PUSHES; seq++) {
            ByteBuffer form = RecordForm.encode(push("push " + seq));
            byte[] payload = new byte[form.remaining()];
            form.get(payload);
            record(bytes, seq, SegmentFormat.PUSH, payload);
        }
        if (sealed) {
            int digests = bytes.position();
            record(bytes, PUSHES, SegmentFormat.DIGESTS, new byte[8 * PUSHES]);
            SegmentFormat.putFooter(bytes, new SegmentFormat.Footer(MARKER, PUSHES, PUSHES, note, digests));
        }
        return Arrays.copyOf(bytes.array(), bytes.position());
    }

    private static void record(ByteBuffer bytes, long seq, int kind, byte[] payload) {
        int start = SegmentFormat.begin(bytes);
        bytes.put(payload);
        SegmentFormat.end(bytes, start, MARKER, seq, kind, seq % 2 == 0);
    }
}
