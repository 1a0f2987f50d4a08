package dev.holdfast.quarantine;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Goes through the records of a {@link QuarantineFile}, head by head; contents only where they are asked for. By one thread. */
final class QuarantineScanner implements AutoCloseable {
    private static final int BUFFER = 64 * 1024;

    private final InputStream in;
    private final byte[] head = new byte[QuarantineRecord.HEAD];
    private final long limit;
    private long at = QuarantineFile.HEADER;
    /** Of the header first. */
    private int contentLeft = QuarantineFile.HEADER;

    private boolean damaged;

    /** @param limit no record that begins there or later is looked at */
    QuarantineScanner(Path path, long limit) throws IOException {
        this.in = new BufferedInputStream(Files.newInputStream(path), BUFFER);
        this.limit = limit;
    }

    /** The next record's head; null: there is no more, or none can be found. */
    @Nullable
    QuarantineRecord next() throws IOException {
        if (at >= limit) {
            return null;
        }
        try {
            in.skipNBytes(contentLeft);
        } catch (EOFException e) {
            damaged = true;
            return null;
        }
        int read = in.readNBytes(head, 0, head.length);
        QuarantineRecord record = read == head.length ? QuarantineRecord.of(head) : null;
        if (record == null) {
            // A file that has taken this one's name meanwhile is shorter, by whole records.
            damaged |= read > 0;
            return null;
        }
        at += record.size();
        contentLeft = record.length();
        return record;
    }

    /** The content of the record, or the header before the first one; shorter when the file ends in it. */
    byte[] content() throws IOException {
        byte[] content = in.readNBytes(contentLeft);
        contentLeft = 0;
        return content;
    }

    /** The record with its head. */
    ByteBuffer whole() throws IOException {
        byte[] content = content();
        return ByteBuffer.allocate(head.length + content.length)
                .put(head)
                .put(content)
                .flip();
    }

    /** Whether there was something else where the next head had to be. */
    boolean isDamaged() {
        return damaged;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
