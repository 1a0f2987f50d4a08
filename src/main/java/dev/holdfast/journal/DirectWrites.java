package dev.holdfast.journal;

import com.sun.nio.file.ExtendedOpenOption;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether a directory's file system lets files be written past the page cache; not every one does. Found out once for
 * each directory, not anew whenever the journal is reopened while the disk is ill.
 */
final class DirectWrites {
    private static final Logger LOG = LoggerFactory.getLogger(DirectWrites.class);
    private static final int BLOCK = 4096;
    private static final String PREFIX = "direct";
    private static final String SUFFIX = ".probe";
    private static final Map<Path, Boolean> FOUND = new ConcurrentHashMap<>();

    private DirectWrites() {}

    /** @throws IOException when nothing can be written at all, as on a full disk: that says nothing of direct writes */
    static boolean possibleIn(Path directory) throws IOException {
        Path real = directory.toRealPath();
        Boolean found = FOUND.get(real);
        if (found == null) {
            removeLeftBehind(real);
            found = probe(real);
            FOUND.put(real, found);
        }
        return found;
    }

    /** A process that was killed in the midst of its probe could not. */
    private static void removeLeftBehind(Path directory) throws IOException {
        try (DirectoryStream<Path> probes = Files.newDirectoryStream(directory, PREFIX + "*" + SUFFIX)) {
            for (Path probe : probes) {
                Files.deleteIfExists(probe);
            }
        }
    }

    private static boolean probe(Path directory) throws IOException {
        Path probe = Files.createTempFile(directory, PREFIX, SUFFIX);
        try {
            write(probe, StandardOpenOption.WRITE, ExtendedOpenOption.DIRECT);
            return true;
        } catch (IOException | UnsupportedOperationException e) {
            // The same without: only when this works was it the directness that did not.
            write(probe, StandardOpenOption.WRITE);
            LOG.info(
                    "{} can't be written past the page cache, so the journal does without: {}",
                    directory,
                    e.toString());
            return false;
        } finally {
            Files.deleteIfExists(probe);
        }
    }

    private static void write(Path probe, OpenOption... options) throws IOException {
        ByteBuffer block =
                ByteBuffer.allocateDirect(2 * BLOCK).alignedSlice(BLOCK).limit(BLOCK);
        try (FileChannel file = FileChannel.open(probe, options)) {
            int written = file.write(block);
            if (written != BLOCK) {
                throw new IOException("only " + written + " of " + BLOCK + " bytes were written");
            }
        }
    }
}
