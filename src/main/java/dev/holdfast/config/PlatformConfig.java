package dev.holdfast.config;

import org.jspecify.annotations.Nullable;

/**
 * What the platform's published interface leaves open.
 *
 * @param clientField the envelope's field that holds client data; null: {@code client}, else the one remaining object
 * @param visitorUpdatedEvent the event of the topic "Update visitor"
 */
public record PlatformConfig(@Nullable String clientField, String visitorUpdatedEvent) {}
