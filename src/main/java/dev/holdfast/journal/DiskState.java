package dev.holdfast.journal;

/**
 * How it stands with the disk that the journal lies on. All but the last in bytes.
 *
 * @param free that this process may use; negative where the disk doesn't say
 * @param size of the file system
 * @param reserve below which the ladder is climbed
 * @param setAside taken to be given up
 * @param step of the ladder, 0 to 4, see {@link DiskLadder}
 */
public record DiskState(long free, long size, long reserve, long setAside, int step) {}
