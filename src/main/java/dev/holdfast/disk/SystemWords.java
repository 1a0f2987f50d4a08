package dev.holdfast.disk;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the system says when it fails with a disk: Java and RocksDB hand on no more than its words, which are in the locale's language.
 * All are known in English; the first of each kind, which the system can be made to say, in that language, too. Any thread.
 */
public final class SystemWords {
    /** ENOSPC and EDQUOT. */
    public static final SystemWords NO_ROOM = new SystemWords(
            () -> Files.write(Path.of("/dev/full"), new byte[1], StandardOpenOption.WRITE),
            "No space left on device",
            "Disk quota exceeded");

    /** EIO, EUCLEAN and EBADMSG. */
    public static final SystemWords UNREADABLE = new SystemWords(
            () -> read(new FileInputStream("/proc/self/mem")),
            "Input/output error",
            "Structure needs cleaning",
            "Bad message");

    /** ENOENT. */
    public static final SystemWords MISSING =
            new SystemWords(() -> read(new FileInputStream("")), "No such file or directory");

    private interface Failing {
        void run() throws IOException;
    }

    private final List<String> words;

    private SystemWords(Failing provoked, String... english) {
        words = new ArrayList<>(List.of(english));
        try {
            provoked.run();
        } catch (IOException e) {
            // A stream that can't be opened puts them in brackets, behind its name.
            words.add(String.valueOf(e.getMessage()).replaceFirst("^ \\((.*)\\)$", "$1"));
        }
    }

    private static void read(InputStream stream) throws IOException {
        try (stream) {
            stream.read();
        }
    }

    /** Whether a failure's message says so. */
    public boolean areIn(@Nullable String message) {
        return message != null && words.stream().anyMatch(message::contains);
    }
}
