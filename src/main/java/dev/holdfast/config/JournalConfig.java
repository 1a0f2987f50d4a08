package dev.holdfast.config;

import java.nio.file.Path;
import java.time.Duration;

/**
 * Where pushes are kept and for how long.
 *
 * @param retention age at which a push that every consumer has had is removed
 * @param maxSize bytes of all kept pushes; beyond it the oldest that every consumer has had are removed earlier
 * @param reserve bytes of free disk space below which the steps of the disk ladder begin; 0: never
 * @param setAside bytes of disk space that are taken at the start, to be given up by the ladder; 0: none
 * @param syncTimeout how long a push waits for its sync before it is answered {@code 503}
 */
public record JournalConfig(
        Path directory, Duration retention, long maxSize, long reserve, long setAside, Duration syncTimeout) {}
