package dev.holdfast.consumer.file;

import dev.holdfast.consumer.FailureText;
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

    /** Goes on with the youngest file that is there, unless it has ended, and with what was left to compress. The directory must exist. */
    static PushFiles open(String consumer, FileOptions options, InstantSource clock) throws IOException {
        FileNames names = new FileNames(consumer, options.directory());
        Compression compression = new Compression(consumer, names);
        PushFiles files = new PushFiles(options, names, clock, compression);
        compression.tidy();
        files.goOn();
        return files;
    }

    /** What is older than another file has ended, since lines appended to it would be out of order; so has what was compressed. */
    private void goOn() throws IOException {
        List<Path> all = names.all();
        Path last = all.isEmpty() ? null : all.get(all.size() - 1);
        if (last != null && FileNames.isPlain(last)) {
            resume(last);
        }
        all.stream()
                .filter(file -> FileNames.isPlain(file) && !file.equals(last))
                .forEach(this::ended);
    }

    /** Appends a line, which is durable after the next {@link #sync}. After a failure it fails until then. */
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

    /** Makes everything appended durable; if it fails, nothing since the last sync is. */
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

    /** Ends the file that is written to if it is old enough. */
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

    /** Runs a step. A failure is kept until the next sync, since everybody who waits for that sync has to get it. */
    private void attempt(Step step) throws IOException {
        if (closed) {
            throw new IOException("closed: another writer may be at the files");
        }
        if (failure != null) {
            throw new IOException("not synced: " + FailureText.of(failure), failure);
        }
        try {
            step.run();
        } catch (IOException e) {
            failure = e;
            abandon(e);
            throw e;
        }
    }

    /** If the file is gone, it is not waited for: the next line begins another one. */
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

    /**
     * Whether the file is old enough. If it was begun in the future (the clock was set back), its age counts from now
     * on.
     */
    private boolean isOld() {
        Instant now = clock.instant();
        begun = now.isBefore(begun) ? now : begun;
        return Duration.between(begun, now).compareTo(options.rotateAge()) > 0;
    }

    private PushFile begin() throws IOException {
        return resume(OwnerOnly.makeFile(names.next(clock.instant())));
    }

    /** Opens a file and syncs its directory, since the file's name must be durable as well. */
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

    /** Closes without a sync: nobody was told that the rest is durable. Waits for the compression. */
    @Override
    public void close() throws IOException {
        closed = true;
        if (current != null) {
            current.close();
        }
        compression.close();
    }
}
