package dev.holdfast.config;

import java.time.Duration;

/**
 * How many dead letters are kept, and for how long.
 *
 * @param maxCount for each consumer; beyond it those that failed longest ago are removed
 * @param maxAge since the last failure; older ones are removed
 */
public record DeadLettersConfig(int maxCount, Duration maxAge) {}
