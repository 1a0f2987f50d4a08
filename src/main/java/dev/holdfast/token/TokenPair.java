package dev.holdfast.token;

import java.time.Duration;
import java.time.Instant;

/**
 * An access token as the service gave it (interface, section 2.1), with what renews it. It writes itself without the
 * tokens.
 *
 * @param refreshToken empty if there is none, as when tokens are not renewed
 * @param scope empty if none was named
 * @param obtainedAt when its request was sent, by this machine's clock
 * @param lifetime of the access token
 */
record TokenPair(String accessToken, String refreshToken, String scope, Instant obtainedAt, Duration lifetime) {
    Instant expiresAt() {
        return obtainedAt.plus(lifetime);
    }

    @Override
    public String toString() {
        return "TokenPair[scope=" + scope + ", obtainedAt=" + obtainedAt + ", lifetime=" + lifetime + "]";
    }
}
