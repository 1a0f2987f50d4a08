package dev.holdfast.journal;

import org.jspecify.annotations.Nullable;

/**
 * One file of a log.
 *
 * @param firstSeq the position that it is named after
 * @param lastSeq the newest position in it; {@code firstSeq - 1} when there is none
 * @param pushes how many it says that it holds
 * @param bytes of the file
 * @param sealed whether it has its footer: nothing is appended to it any more
 * @param damage what an opening finds wrong with it; null when that is nothing
 */
public record SegmentSummary(
        String file,
        long firstSeq,
        long lastSeq,
        long pushes,
        long bytes,
        boolean sealed,
        @Nullable String damage) {}
