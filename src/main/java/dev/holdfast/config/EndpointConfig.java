package dev.holdfast.config;

import java.util.List;

/**
 * A path with its own secrets: one per enterprise.
 *
 * @param secrets every live signing secret, at least one
 * @param signatureHeader name of the header with the signature
 */
public record EndpointConfig(String name, String path, List<Secret> secrets, String signatureHeader) {
    /** The header's name in the published interface (section 5.2). */
    public static final String PUBLISHED_SIGNATURE_HEADER = "Service-Signature";

    public EndpointConfig {
        secrets = List.copyOf(secrets);
    }
}
