package dev.holdfast.journal;

import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/** Blocks of segments that could not be read: each is tried again for a while before it counts as lost. Any thread. */
final class FailingBlocks {
    /** Past it those are forgotten that nobody has asked for since. */
    private static final int REMEMBERED = 10_000;

    private record BadBlock(Segment segment, long block) {}

    /** Since when, and when last, by {@link LogDisk#nanoTime}. */
    private record Failing(long since, long last) {}

    private final Map<BadBlock, Failing> failing = new ConcurrentHashMap<>();
    private final LogDisk disk;

    FailingBlocks(LogDisk disk) {
        this.disk = disk;
    }

    /** One can't be read now; returns whether that has been so for long enough. */
    boolean failed(Segment segment, long block) {
        long now = disk.nanoTime();
        if (failing.size() >= REMEMBERED) {
            failing.values().removeIf(failed -> isLate(failed, now));
        }
        Failing failed = Objects.requireNonNull(failing.compute(
                new BadBlock(segment, block),
                (one, before) -> new Failing(isLate(before, now) ? now : before.since(), now)));
        return now - failed.since() >= disk.readTimeoutNanos();
    }

    /** Whether that was another time; who comes once a minute comes again and again. */
    private boolean isLate(@Nullable Failing before, long now) {
        return before == null || (now - before.last()) / 3 > disk.readTimeoutNanos();
    }

    /** What lies from one byte up to another was read, but for the blocks that still can't be. */
    void read(Segment segment, long from, long to, LongPredicate unreadable) {
        if (!failing.isEmpty()) {
            failing.keySet()
                    .removeIf(bad -> bad.segment() == segment
                            && bad.block() >= from
                            && bad.block() < to
                            && !unreadable.test(bad.block()));
        }
    }
}
