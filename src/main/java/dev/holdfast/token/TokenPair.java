package dev.holdfast.token;

import java.time.Duration;
import java.time.Instant;

/**
 * An access token with what renews it. It writes itself without the tokens.
 *
 * @param refreshToken empty: none, where tokens were not renewed when it was obtained
 * @param obtainedAt when its request was sent, by this machine's clock
 * @param lifetime of the access token
 */
record TokenPair(String accessToken, String refreshToken, String scope, Instant obtainedAt, Duration lifetime) {
    TokenPair(Grant grant, Instant obtainedAt) {
        this(grant.accessToken(), grant.refreshToken(), grant.scope(), obtainedAt, grant.lifetime());
    }

    Instant expiresAt() {
        return obtainedAt.plus(lifetime);
    }

    @Override
    public String toString() {
        return "TokenPair[scope=" + scope + ", obtainedAt=" + obtainedAt + ", lifetime=" + lifetime + "]";
    }
}
