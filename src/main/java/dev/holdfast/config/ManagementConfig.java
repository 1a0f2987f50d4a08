package dev.holdfast.config;

import org.jspecify.annotations.Nullable;

/**
 * The operators' port.
 *
 * @param port 0 picks a free one
 * @param token bearer token that the API asks for; null: none
 */
public record ManagementConfig(
        String host, int port, @Nullable Secret token) {}
