package dev.holdfast.consumer.file;

import dev.holdfast.disk.DirectorySync;
import dev.holdfast.disk.OwnerOnly;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPOutputStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compresses ended files on a thread of its own. The plain file goes when the whole compressed one is on disk, so at any
 * moment one of the two is complete; what a crash or a full disk interrupts is done again at the next start.
 */
final class Compression implements Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(Compression.class);
    private static final long TIMEOUT_SECONDS = 60;

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

    /** Takes away what a crash left behind. */
    void tidy() throws IOException {
        for (Path partly : names.partly()) {
            Files.delete(partly);
        }
        for (Path plain : names.plain()) {
            if (Files.exists(FileNames.beside(plain, FileNames.COMPRESSED))) {
                Files.delete(plain);
            }
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

    /** Where it was a full disk that failed, the half of a file would keep it full. */
    private static void giveBackRoom(Path partly) {
        try {
            Files.deleteIfExists(partly);
        } catch (IOException e) {
            LOG.warn("{} stays until the next start: {}", partly, e.toString());
        }
    }

    private void compress(Path plain) throws IOException {
        Path partly = FileNames.beside(plain, FileNames.PARTLY);
        try (FileChannel file = OwnerOnly.open(
                        partly,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.TRUNCATE_EXISTING,
                        StandardOpenOption.WRITE);
                OutputStream out = new GZIPOutputStream(Channels.newOutputStream(file), 65_536) {
                    @Override
                    public void finish() throws IOException {
                        super.finish();
                        file.force(true);
                    }
                }) {
            Files.copy(plain, out);
        }
        Files.move(partly, FileNames.beside(plain, FileNames.COMPRESSED), StandardCopyOption.ATOMIC_MOVE);
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
