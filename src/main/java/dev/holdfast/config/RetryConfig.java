package dev.holdfast.config;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How long to wait before the next attempt: {@code firstDelay}, then each time {@code factor} times longer, up to
 * {@code maxDelay}, each shortened at random by up to the part {@code jitter}; and after which attempt there is no next one.
 *
 * @param factor at least 1
 * @param jitter 0 to 1
 * @param maxAttempts without those made while the consumer failed everything; null: as many as it takes
 * @param maxAge since the first failed attempt, without the time in which the consumer failed everything or was not
 *     there; null: as long as it takes
 */
public record RetryConfig(
        Duration firstDelay,
        double factor,
        Duration maxDelay,
        double jitter,
        @Nullable Integer maxAttempts,
        @Nullable Duration maxAge) {}
