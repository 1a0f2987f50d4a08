package dev.holdfast.config;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The operators' port.
 *
 * @param port 0 picks a free one
 * @param token bearer token that the API asks for; null: none
 * @param hosts names and addresses, without a port, that requests may ask for beside {@code host} and loopback ones
 */
public record ManagementConfig(
        String host, int port, @Nullable Secret token, List<String> hosts) {

    public ManagementConfig {
        hosts = List.copyOf(hosts);
    }
}
