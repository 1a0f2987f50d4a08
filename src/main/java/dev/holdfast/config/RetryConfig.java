package dev.holdfast.config;

import java.time.Duration;

/**
 * How long to wait before the next attempt: {@code firstDelay}, then each time {@code factor} times longer, up to
 * {@code maxDelay}, each shortened at random by up to the part {@code jitter}.
 *
 * @param factor at least 1
 * @param jitter 0 to 1
 */
public record RetryConfig(Duration firstDelay, double factor, Duration maxDelay, double jitter) {}
