package dev.holdfast.config;

import java.nio.file.Path;
import java.time.Duration;

/**
 * Where pushes are kept and for how long.
 *
 * @param retention age past which a push that every consumer has had is removed
 * @param maxSize bytes of kept pushes past which the oldest pushes that every consumer has had are removed earlier
 * @param reserve bytes of free disk space below which the disk ladder is climbed; 0: never
 * @param setAside bytes that are taken from the disk at the start, to be given up by the ladder; 0: none
 * @param syncTimeout after which a push whose sync has not ended is answered {@code 503}
 */
public record JournalConfig(
        Path directory, Duration retention, long maxSize, long reserve, long setAside, Duration syncTimeout) {}
