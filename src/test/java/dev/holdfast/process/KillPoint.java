package dev.holdfast.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/** A system call of a gateway's at which it is held and killed, just before the kernel would do it. */
enum KillPoint {
    /** Of a first life, on an empty directory. */
    NEW_SEGMENT_IS_SYNCED(false, "fdatasync", 1, "00000000000000000001.segment.new"),
    NEW_SEGMENT_IS_NAMED(false, "rename", 1, "00000000000000000001.segment.new"),
    DIRECTORY_OF_THE_NEW_SEGMENT_IS_SYNCED(false, "fsync", 1, ""),
    STORE_IS_MADE(false, "fsync", 1, "store"),
    SEGMENT_IS_WRITTEN(false, "write", 60, "00000000000000000001.segment"),
    SEGMENT_IS_SYNCED(false, "fdatasync", 60, "00000000000000000001.segment"),
    POSITIONS_ARE_SYNCED(false, "fdatasync", 4, "store/000004.log"),
    ARCHIVE_IS_MADE(false, "fsync", 1, "../archive"),
    /** Of a life that finds what a killed one left behind. */
    STORE_IS_RECOVERED(true, "fsync", 1, "store"),
    DIGESTS_ARE_RECOVERED(true, "fsync", 1, "digests"),
    LAST_GROUP_IS_WRITTEN_AGAIN(true, "fsync", 1, ""),
    OLD_SEGMENT_IS_CUT(true, "ftruncate", 1, "newest"),
    OLD_SEGMENT_IS_SEALED(true, "write", 1, "newest"),
    SEAL_IS_SYNCED(true, "fdatasync", 1, "newest"),
    /** With a retention of one second, and only after a minute. */
    OLD_SEGMENT_IS_REMOVED(true, "unlink", 1, "00000000000000000001.segment");

    private final boolean recovering;
    private final String call;
    private final int most;
    private final String file;

    /**
     * @param call at which a thread is held, on this file alone
     * @param file below the data directory; {@code newest}: the newest segment
     * @param most by which call of a thread at the latest
     */
    KillPoint(boolean recovering, String call, int most, String file) {
        this.recovering = recovering;
        this.call = call;
        this.most = most;
        this.file = file;
    }

    static List<KillPoint> ofFirstLife() {
        return Stream.of(values()).filter(point -> !point.recovering).toList();
    }

    /** Those that need no timeout. */
    static List<KillPoint> ofRecovery() {
        return Stream.of(values())
                .filter(point -> point.recovering && point != OLD_SEGMENT_IS_REMOVED)
                .toList();
    }

    /** What the gateway on the directory is to be started under. */
    List<String> command(Path trace, Path data, SplittableRandom random) {
        return Strace.inject(
                trace,
                call,
                List.of(
                        file.equals("newest")
                                ? newest(data)
                                : data.resolve(file).normalize()),
                "delay_enter=1000000000:when=" + (1 + random.nextInt(most)));
    }

    private static Path newest(Path data) {
        try (Stream<Path> files = Files.list(data)) {
            return files.filter(file -> file.toString().endsWith(".segment"))
                    .sorted()
                    .reduce((older, newer) -> newer)
                    .orElseThrow(() -> new AssertionError("found no segment in " + data));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
