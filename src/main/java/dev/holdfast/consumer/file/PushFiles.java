package dev.holdfast.consumer.file;

import dev.holdfast.disk.DirectorySync;
import dev.holdfast.disk.OwnerOnly;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One consumer's files in their directory: the youngest is written to, until its size or its age ends it. One thread at a
 * time.
 */
final class PushFiles implements Closeable {
    private final FileOptions options;
    private final FileNames names;
    private final InstantSource clock;
    private final Compression compression;
    private @Nullable PushFile current;
    private @Nullable IOException failure;
    private Instant begun;
    private boolean closed;

    private PushFiles(FileOptions options, FileNames names, InstantSource clock, Compression compression) {
        this.options = options;
        this.names = names;
        this.clock = clock;
        this.compression = compression;
        this.begun = Instant.EPOCH;
    }

    /** Goes on with the youngest file that is there, and with what was left to compress. */
    static PushFiles open(String consumer, FileOptions options, InstantSource clock) throws IOException {
        OwnerOnly.makeDirectories(options.directory());
        FileNames names = new FileNames(consumer, options.directory());
        Compression compression = new Compression(consumer, names);
        PushFiles files = new PushFiles(options, names, clock, compression);
        compression.tidy();
        files.goOn();
        return files;
    }

    /** A plain file that is older than a compressed one has ended: what was written to it would stand before its time. */
    private void goOn() throws IOException {
        List<Path> plain = names.plain();
        int ended = plain.size();
        if (!plain.isEmpty() && names.isYoungest(plain.get(ended - 1))) {
            ended--;
            if (!options.gzip() || !compression.finish(plain.get(ended))) {
                resume(plain.get(ended));
            }
        }
        plain.subList(0, ended).forEach(this::ended);
    }

    /** Appends a line, which lasts from the next {@link #sync} on. After a failure it fails until then. */
    void append(byte[] line) throws IOException {
        attempt(() -> appendNow(line));
    }

    private void appendNow(byte[] line) throws IOException {
        PushFile file = current;
        if (file != null && file.length() > 0 && (isOld() || file.length() + line.length > options.rotateSize())) {
            end(file);
            file = null;
        }
        if (file == null) {
            file = begin();
        }
        file.append(line);
    }

    /** Everything appended lasts; when it fails, nothing since the last sync does. */
    void sync() throws IOException {
        try {
            attempt(() -> {
                if (current != null) {
                    current.sync();
                }
            });
        } finally {
            failure = null;
        }
    }

    /** Ends the file that is written to if its time has come. */
    void endOfAge() throws IOException {
        attempt(() -> {
            if (current != null && current.length() > 0 && isOld()) {
                end(current);
            }
        });
    }

    private interface Step {
        void run() throws IOException;
    }

    /** A failure stands until the next sync: all who wait for that one have to hear of it. */
    private void attempt(Step step) throws IOException {
        if (closed) {
            throw new IOException("closed: another writer may be at the files");
        }
        if (failure != null) {
            throw new IOException("not synced: " + failure.getMessage(), failure);
        }
        try {
            step.run();
        } catch (IOException e) {
            failure = e;
            abandon(e);
            throw e;
        }
    }

    /** A file that is gone is not waited for: the next line begins another one. */
    private void abandon(IOException cause) {
        if (current == null) {
            return;
        }
        current.abandon();
        try {
            if (!current.isThere()) {
                current = null;
            }
        } catch (IOException e) {
            cause.addSuppressed(e);
        }
    }

    /** A file that was begun in the future, before the clock was set back, has its age from now on. */
    private boolean isOld() {
        Instant now = clock.instant();
        begun = now.isBefore(begun) ? now : begun;
        return Duration.between(begun, now).compareTo(options.rotateAge()) > 0;
    }

    private PushFile begin() throws IOException {
        return resume(OwnerOnly.makeFile(names.next(clock.instant())));
    }

    /** The file's name has to last as well. */
    private PushFile resume(Path path) throws IOException {
        DirectorySync.sync(options.directory());
        PushFile file = PushFile.open(path);
        begun = names.begun(path);
        current = file;
        return file;
    }

    private void end(PushFile file) throws IOException {
        file.sync();
        file.close();
        current = null;
        ended(file.path());
    }

    private void ended(Path path) {
        if (options.gzip()) {
            compression.add(path);
        }
    }

    /** What was not synced is not: nobody was told that it lasts. Waits for the compression. */
    @Override
    public void close() throws IOException {
        closed = true;
        if (current != null) {
            current.close();
        }
        compression.close();
    }
}
