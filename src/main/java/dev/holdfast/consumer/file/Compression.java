package dev.holdfast.consumer.file;

import dev.holdfast.disk.DirectorySync;
import dev.holdfast.disk.OwnerOnly;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compresses ended files on a thread of its own. The plain file is deleted once the whole compressed one is on disk, so
 * at any moment one of the two is complete. What a crash or a full disk interrupts is done again at the next start.
 */
final class Compression implements Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(Compression.class);
    private static final long TIMEOUT_SECONDS = 60;
    private static final int BUFFER = 65_536;

    private final FileNames names;
    private final ExecutorService thread;

    Compression(String consumer, FileNames names) {
        this.names = names;
        this.thread = Executors.newSingleThreadExecutor(task -> {
            Thread made = new Thread(task, "compression-" + consumer);
            made.setDaemon(true);
            return made;
        });
    }

    /** Deletes what a crash left behind. */
    void tidy() throws IOException {
        for (Path file : names.all()) {
            if (file.toString().endsWith(FileNames.PARTLY)) {
                Files.delete(file);
            }
        }
    }

    /**
     * Deletes a plain file whose compressed one is there and whole, since a crash may leave both. A compressed file
     * with other content is somebody else's, such as a copy made while lines were still written: then both stay.
     */
    private void finish(Path plain, Path compressed) throws IOException {
        String difference = difference(plain, compressed);
        if (difference != null) {
            LOG.warn(
                    "{} stays as it is: {} exists, and its content is not the same: {}", plain, compressed, difference);
            return;
        }
        try (FileChannel file = FileChannel.open(compressed, StandardOpenOption.READ)) {
            file.force(true);
        }
        DirectorySync.sync(names.directory());
        Files.delete(plain);
    }

    /** How the two files differ; null if they don't. */
    private static @Nullable String difference(Path plain, Path compressed) {
        try (InputStream expected = Files.newInputStream(plain);
                InputStream packed = Files.newInputStream(compressed);
                InputStream found = new GZIPInputStream(packed, BUFFER)) {
            long position = 0;
            while (true) {
                byte[] some = expected.readNBytes(BUFFER);
                int differs = Arrays.mismatch(some, found.readNBytes(BUFFER));
                if (differs >= 0) {
                    return "it differs from byte " + (position + differs) + " on";
                }
                if (some.length == 0) {
                    return null;
                }
                position += some.length;
            }
        } catch (IOException e) {
            return e.toString();
        }
    }

    void add(Path plain) {
        thread.execute(() -> {
            try {
                compress(plain);
            } catch (IOException | UncheckedIOException e) {
                LOG.warn("{} stays as it is until the next start: it can't be compressed: {}", plain, e.toString());
                giveBackRoom(FileNames.beside(plain, FileNames.PARTLY));
            }
        });
    }

    /** Deletes a half-written file: if the disk was full, the file would keep it full. */
    private static void giveBackRoom(Path partly) {
        try {
            Files.deleteIfExists(partly);
        } catch (IOException e) {
            LOG.warn("{} stays until the next start: {}", partly, e.toString());
        }
    }

    private void compress(Path plain) throws IOException {
        Path compressed = FileNames.beside(plain, FileNames.COMPRESSED);
        if (Files.exists(compressed)) {
            finish(plain, compressed);
            return;
        }
        Path partly = FileNames.beside(plain, FileNames.PARTLY);
        try (FileChannel file = OwnerOnly.open(
                        partly,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.TRUNCATE_EXISTING,
                        StandardOpenOption.WRITE);
                GZIPOutputStream out = new GZIPOutputStream(Channels.newOutputStream(file), BUFFER)) {
            Files.copy(plain, out);
            out.finish();
            file.force(true);
        }
        Files.move(partly, compressed, StandardCopyOption.ATOMIC_MOVE);
        DirectorySync.sync(names.directory());
        Files.delete(plain);
    }

    @Override
    public void close() {
        thread.shutdown();
        try {
            if (!thread.awaitTermination(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
                thread.shutdownNow();
            }
        } catch (InterruptedException e) {
            thread.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }
}
