package dev.holdfast.config;

import java.nio.file.Path;
import java.time.Duration;

/**
 * Where pushes are kept and for how long.
 *
 * @param retention age past which a push that every consumer has had is removed
 * @param maxSize bytes of kept pushes past which the oldest pushes that every consumer has had are removed earlier
 * @param reserve bytes of free disk space below which readiness turns red while pushes are still accepted
 * @param syncTimeout after which a push whose sync has not ended is answered {@code 503}
 */
public record JournalConfig(Path directory, Duration retention, long maxSize, long reserve, Duration syncTimeout) {}
