package dev.holdfast.quarantine;

import dev.holdfast.disk.DirectorySync;
import dev.holdfast.disk.PlacedFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/** Adds requests to the end of a new file, until it is sealed. By one thread. */
record QuarantineAppender(QuarantineFile file, FileChannel channel, PlacedFile place) {
    /** Begins a file; its name is synced: it may be all that tells which identifiers were given. */
    static QuarantineAppender begin(Path directory, long firstId) throws IOException {
        QuarantineFile file = QuarantineFile.empty(directory, firstId);
        FileChannel channel = QuarantineFile.begin(file.path());
        try {
            DirectorySync.sync(directory);
            return new QuarantineAppender(file, channel, PlacedFile.at(file.path()));
        } catch (IOException | RuntimeException | Error e) {
            channel.close();
            throw e;
        }
    }

    /** Adds one whose identifier is higher than every one before; without a sync. */
    void append(QuarantinedRequest request, ByteBuffer record) throws IOException {
        int bytes = record.remaining();
        QuarantineFile.write(channel, record);
        file.added(request.id(), request.receivedAt(), bytes);
    }

    /** Whether what is added to it will be found under its name. */
    boolean isInPlace() {
        return place.isInPlace();
    }

    /** Nothing more is added. What a failed write has left behind the last record is cut off, if the disk lets it. */
    void seal() throws IOException {
        try (channel) {
            if (channel.size() > file.size()) {
                channel.truncate(file.size());
            }
        }
    }
}
