package dev.holdfast.config;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The operators' port.
 *
 * @param port 0 picks a free one
 * @param token bearer token that the API asks for; null: none
 * @param tokenName whose token it is, as the audit says
 * @param hosts names and addresses, without a port, that requests may ask for beside {@code host} and loopback ones
 * @param tls null for plain HTTP
 * @param insecure whether the token may come over plain HTTP from other machines
 * @param publicParts those of {@link #HEALTH} and {@link #METRICS} that are answered without the token
 */
public record ManagementConfig(
        String host,
        int port,
        @Nullable Secret token,
        String tokenName,
        List<String> hosts,
        @Nullable TlsConfig tls,
        boolean insecure,
        List<String> publicParts) {
    public static final String HEALTH = "health";
    public static final String METRICS = "metrics";

    /** Connections that the port has at once. */
    public static final int MOST_CONNECTIONS = 128;

    public ManagementConfig {
        hosts = List.copyOf(hosts);
        publicParts = List.copyOf(publicParts);
    }
}
