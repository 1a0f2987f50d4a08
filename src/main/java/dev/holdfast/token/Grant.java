package dev.holdfast.token;

import java.time.Duration;

/**
 * What the service gave (interface, section 2.1). It writes itself without the tokens.
 *
 * @param refreshToken empty: none, where tokens are not renewed
 * @param scope empty: none was told
 * @param lifetime of the access token
 */
record Grant(String accessToken, String refreshToken, String scope, Duration lifetime) {
    @Override
    public String toString() {
        return "Grant[scope=" + scope + ", lifetime=" + lifetime + "]";
    }
}
