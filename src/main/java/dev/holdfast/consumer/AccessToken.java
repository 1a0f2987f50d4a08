package dev.holdfast.consumer;

import java.time.Instant;

/**
 * An access token of the platform's API (interface, section 2.1), good when it was handed out. It writes itself without
 * its value.
 *
 * @param value never to be shown. How it is attached to API calls is not in the published interface
 * @param scope as granted; may be empty
 * @param expiresAt by this machine's clock; counted from before the request, so on the safe side
 */
public record AccessToken(String value, String scope, Instant expiresAt) {
    @Override
    public String toString() {
        return "AccessToken[value=********, scope=" + scope + ", expiresAt=" + expiresAt + "]";
    }
}
