package dev.holdfast.bench;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The machine all of this runs on. */
final class Machine {
    private static final long GIB = 1L << 30;

    private Machine() {}

    static String describe(Path directory) throws IOException {
        FileStore store = Files.getFileStore(directory);
        return String.format(
                "%s, %d processors, %d MiB of memory, Linux %s, %s, Java %s",
                field("/proc/cpuinfo", "model name"),
                Runtime.getRuntime().availableProcessors(),
                kibibytes("MemTotal") / 1024,
                System.getProperty("os.version"),
                store.type(),
                Runtime.version());
    }

    /** Refuses to begin what would fill the disk. Every body is written about twice: in a log, then in a table. */
    static void mustHaveRoom(Path directory, BenchSettings settings) throws IOException {
        long loads = (settings.rounds() + 4L) * settings.seconds() * 60_000;
        long needed = 4096L * (2 * loads + settings.prefill()) / GIB + 2;
        long found = Files.getFileStore(directory).getUsableSpace() / GIB;
        if (found < needed) {
            throw new IllegalStateException(
                    "found " + found + " GiB free for " + directory + ", expected at least " + needed);
        }
    }

    /**
     * Fills the free memory with page cache, as it is on any machine that has run for a while: reads a file that is one
     * hole, and leaves it until the end. On a virtual machine free pages belong to the host; the first write to one
     * costs about ten times what it costs otherwise, and would be charged to whichever server happens to get it. With no
     * page free, new ones come from the hole's, which are the oldest. Nothing is written to the disk. Returns seconds.
     */
    static long fillPageCache(Path directory) throws IOException {
        long start = System.nanoTime();
        byte[] buffer = new byte[1 << 20];
        try (RandomAccessFile hole =
                new RandomAccessFile(directory.resolve("hole").toFile(), "rw")) {
            hole.setLength(kibibytes("MemFree") * 1024);
            while (hole.read(buffer) > 0) {
                // The reading is all.
            }
        }
        return TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start);
    }

    static void deleteAll(Path directory) {
        try (Stream<Path> paths = Files.walk(directory)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long kibibytes(String name) throws IOException {
        return Long.parseLong(field("/proc/meminfo", name).replaceAll("\\D", ""));
    }

    private static String field(String file, String name) throws IOException {
        try (Stream<String> lines = Files.lines(Path.of(file))) {
            return lines.filter(line -> line.startsWith(name))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse("unknown");
        }
    }
}
