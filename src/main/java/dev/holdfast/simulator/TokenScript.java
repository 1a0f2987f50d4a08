package dev.holdfast.simulator;

import java.time.Duration;
import java.util.List;

/**
 * How the token endpoint is played.
 *
 * @param appSecret never shown
 * @param lifetime of access tokens
 * @param codeLifetime how long a code may wait for its exchange
 * @param strictRotation whether a refresh token is dead as soon as it was used; otherwise it stays good until its
 *     successor is used, so that an answer lost on the way does no harm
 * @param slow how long an answer with {@link TokenFault#SLOW} takes
 * @param faults what goes wrong, each as likely as the other; empty: nothing
 * @param faultRate the part of all requests that something goes wrong with, 0 to 1
 */
public record TokenScript(
        String appId,
        String appSecret,
        Duration lifetime,
        Duration codeLifetime,
        boolean strictRotation,
        Duration slow,
        List<TokenFault> faults,
        double faultRate) {
    /** The path of the published interface (section 4.1). */
    public static final String PATH = "/open/v1/oauth2/access-token";

    /** The lifetime of the published interface's sample. */
    public static final Duration LIFETIME = Duration.ofHours(2);

    public TokenScript {
        faults = List.copyOf(faults);
        if (lifetime.toSeconds() < 1) {
            throw new IllegalArgumentException("token lifetime: " + lifetime + " (expected: at least a second)");
        }
        if (!(faultRate >= 0 && faultRate <= 1)) {
            throw new IllegalArgumentException("token fault rate: " + faultRate + " (expected: 0 to 1)");
        }
    }

    /** Two hours for a token, ten minutes for a code, and nothing goes wrong. */
    public static TokenScript healthy(String appId, String appSecret) {
        return new TokenScript(
                appId, appSecret, LIFETIME, Duration.ofMinutes(10), false, Duration.ofMinutes(1), List.of(), 0);
    }

    /** The same with tokens of this lifetime. */
    public TokenScript withLifetime(Duration lifetime) {
        return new TokenScript(appId, appSecret, lifetime, codeLifetime, strictRotation, slow, faults, faultRate);
    }

    /** Without the secret. */
    @Override
    public String toString() {
        return "TokenScript[appId=" + appId + ", lifetime=" + lifetime + "]";
    }
}
