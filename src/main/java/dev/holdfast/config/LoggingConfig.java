package dev.holdfast.config;

/**
 * What is logged.
 *
 * @param level {@code error}, {@code warn}, {@code info}, {@code debug} or {@code trace}
 */
public record LoggingConfig(String level) {}
