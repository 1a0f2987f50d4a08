package dev.holdfast.store;

import dev.holdfast.disk.OwnerOnly;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** What a {@link QuarantineFile} is written with, from its beginning on. By one thread. */
final class QuarantineAppender implements AutoCloseable {
    private static final int MARKER = 0x48465152;

    private final FileChannel channel;

    /** Begins a file, in the place of one that is there. */
    QuarantineAppender(Path path) throws IOException {
        channel = OwnerOnly.open(
                path, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE);
        try {
            append(header());
        } catch (IOException | RuntimeException | Error e) {
            channel.close();
            throw e;
        }
    }

    /** What a file begins with. */
    static ByteBuffer header() {
        return ByteBuffer.allocate(QuarantineFile.HEADER)
                .putInt(MARKER)
                .putInt(QuarantineFile.VERSION)
                .flip();
    }

    void append(ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    /** What lies behind that many bytes a failed write has left. */
    void cut(long length) throws IOException {
        if (channel.size() > length) {
            channel.truncate(length);
        }
    }

    void sync() throws IOException {
        channel.force(true);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
