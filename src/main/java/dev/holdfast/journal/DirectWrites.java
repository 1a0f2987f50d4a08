package dev.holdfast.journal;

import com.sun.nio.file.ExtendedOpenOption;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Whether a directory's file system lets files be written past the page cache; not every one does. */
final class DirectWrites {
    private static final int BLOCK = 4096;

    private DirectWrites() {}

    /** Tries it. */
    static boolean possibleIn(Path directory) throws IOException {
        Path probe = Files.createTempFile(directory, "direct", ".probe");
        try (FileChannel file = FileChannel.open(probe, StandardOpenOption.WRITE, ExtendedOpenOption.DIRECT)) {
            return file.write(ByteBuffer.allocateDirect(2 * BLOCK)
                            .alignedSlice(BLOCK)
                            .limit(BLOCK))
                    == BLOCK;
        } catch (IOException | UnsupportedOperationException e) {
            return false;
        } finally {
            Files.delete(probe);
        }
    }
}
