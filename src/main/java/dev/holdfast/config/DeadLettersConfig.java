package dev.holdfast.config;

import java.time.Duration;

/**
 * How many dead letters are kept, and for how long.
 *
 * @param maxCount of each consumer; beyond it those that failed longest ago go
 * @param maxAge since the last failure
 */
public record DeadLettersConfig(int maxCount, Duration maxAge) {}
