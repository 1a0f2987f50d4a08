package dev.holdfast.disk;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/**
 * The files and sockets that the process may have open at once ({@code ulimit -n}), and the journal's part of them.
 *
 * @param limit a very large number where there is none, or none that Java knows of
 * @param used how many are open
 */
public record Descriptors(long limit, long used) {
    private static final long ENOUGH = 1 << 20;
    private static final int JOURNAL_MOST = 512;

    /** Those of this process, now. */
    public static Descriptors ofProcess() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
                ? new Descriptors(Math.max(1, unix.getMaxFileDescriptorCount()), unix.getOpenFileDescriptorCount())
                : new Descriptors(ENOUGH, 0);
    }

    /** Files that the journal may have open at once: a quarter, and no more than it has use for. */
    public int journal() {
        return (int) Math.min(JOURNAL_MOST, limit / 4);
    }
}
