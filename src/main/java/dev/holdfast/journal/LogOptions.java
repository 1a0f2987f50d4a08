package dev.holdfast.journal;

/**
 * How a log is written.
 *
 * @param segmentBytes past which a segment is followed by the next one
 */
record LogOptions(long segmentBytes, LogDisk disk) {
    private static final long LARGEST = 64L << 20;
    private static final int PARTS = 8;

    /** For a journal of this size: what is removed goes by whole segments, and an unsealed one is read through at opening. */
    static LogOptions forSize(long maxSize) {
        return new LogOptions(Math.min(LARGEST, maxSize / PARTS), LogDisk.REAL);
    }
}
