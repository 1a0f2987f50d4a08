package dev.holdfast.disk;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/**
 * The files and sockets that the process may have open at once ({@code ulimit -n}), and the journal's part of them.
 *
 * @param limit a very large number if there is none, or Java doesn't know it
 * @param used how many are open
 */
public record Descriptors(long limit, long used) {
    private static final long ENOUGH = 1 << 20;
    private static final int JOURNAL_MOST = 512;

    /** The descriptors of this process, now. */
    public static Descriptors ofProcess() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
                ? new Descriptors(Math.max(1, unix.getMaxFileDescriptorCount()), unix.getOpenFileDescriptorCount())
                : new Descriptors(ENOUGH, 0);
    }

    /** Files that the journal may have open at once: a quarter of the limit, and no more than it can use. */
    public int journal() {
        return (int) Math.min(JOURNAL_MOST, limit / 4);
    }
}
