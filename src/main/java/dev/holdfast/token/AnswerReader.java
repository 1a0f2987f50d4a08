package dev.holdfast.token;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.holdfast.config.TokenConfig.ExpiryUnit;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the service's envelope (interface, section 2.1): {@code code} 0 with an access token, or a named failure. If
 * there is a token, nothing else is a failure. Fields that the interface doesn't name are ignored.
 */
final class AnswerReader {
    private static final Logger LOG = LoggerFactory.getLogger(AnswerReader.class);
    /** Not strict: what stands twice, or behind the answer, costs no token. */
    private static final JsonMapper JSON = new JsonMapper();

    private static final int OK = 200;
    private static final int REDIRECTION = 300;
    private static final int TIMEOUT = 408;
    private static final int TOO_EARLY = 425;
    private static final int TOO_MANY = 429;
    private static final int SERVER_ERROR = 500;
    /** More seconds than this are probably milliseconds. */
    private static final long SUSPICIOUS_SECONDS = 1_000_000;

    private static final long LEAST_MILLIS = 1000;
    private static final long MOST_MILLIS = Duration.ofDays(3650).toMillis();
    /** The assumed lifetime of a token whose own makes no sense: it is renewed soon, but not all the time. */
    private static final Duration UNKNOWN_LIFETIME = Duration.ofMinutes(10);

    private static final Pattern VISIBLE = Pattern.compile("[\\x21-\\x7e\\u00a1-\\uffff]+");

    private final ExpiryUnit unit;
    private final boolean renews;

    /** @param renews whether the refresh token will be needed; if not, nothing is expected of it */
    AnswerReader(ExpiryUnit unit, boolean renews) {
        this.unit = unit;
        this.renews = renews;
    }

    /**
     * Reads one answer.
     *
     * @param request that is answered; the service may send back the secrets in it
     * @param sentAt when the request was sent
     * @throws TokenFailure when it is no success
     */
    TokenPair read(int status, byte[] body, TokenRequest request, Instant sentAt) {
        JsonNode envelope = parse(body);
        Long code = envelope == null ? null : integer(envelope, "code");
        Redaction redaction = new Redaction(secrets(envelope, request.secrets()));
        String msg =
                envelope == null ? "" : redaction.apply(envelope.path("msg").asText(""));
        if (code != null && code != 0 && isFinal(status)) {
            throw new TokenFailure(FailureKind.REJECTED, status, code, msg, "");
        }
        if (!isSuccess(status)) {
            throw new TokenFailure(
                    FailureKind.BAD_STATUS, status, code, msg, "found status " + status + ", expected " + OK);
        }
        if (envelope == null) {
            throw new TokenFailure(
                    FailureKind.NO_JSON, status, null, "", "found " + body.length + " bytes, expected a JSON object");
        }
        if (code == null) {
            throw mistyped(status, null, msg, "code", "an integer");
        }
        return pair(envelope.path("data"), code, msg, request.refreshToken(), redaction, sentAt);
    }

    /** The interface names {@value #OK}; but a token that comes with another success is one, and its code is used up. */
    private static boolean isSuccess(int status) {
        return status >= OK && status < REDIRECTION;
    }

    /** Whether the same request would be answered the same way. */
    private static boolean isFinal(int status) {
        return status < SERVER_ERROR && status != TIMEOUT && status != TOO_EARLY && status != TOO_MANY;
    }

    private static @Nullable JsonNode parse(byte[] body) {
        try {
            JsonNode node = JSON.readTree(body);
            return node != null && node.isObject() ? node : null;
        } catch (IOException e) {
            // its message quotes the body
            return null;
        }
    }

    private static List<String> secrets(@Nullable JsonNode envelope, List<String> sent) {
        List<String> secrets = new ArrayList<>(sent);
        if (envelope != null) {
            for (String field : List.of("access_token", "refresh_token")) {
                secrets.add(envelope.path("data").path(field).asText(""));
            }
        }
        return secrets;
    }

    private TokenPair pair(
            JsonNode data, long code, String msg, String sentRefreshToken, Redaction redaction, Instant sentAt) {
        if (!data.isObject()) {
            throw mistyped(OK, code, msg, "data", "an object");
        }
        String accessToken = data.path("access_token").textValue();
        if (accessToken == null || !VISIBLE.matcher(accessToken).matches()) {
            throw mistyped(OK, code, msg, "data.access_token", "a string of visible characters");
        }
        // Whatever the rest of the answer is: the token is good, and its code is used up.
        String refreshToken = renews ? refreshToken(data.path("refresh_token").asText(""), sentRefreshToken) : "";
        String scope = redaction.mask(data.path("scope").asText(""));
        return new TokenPair(accessToken, refreshToken, scope, sentAt, lifetime(data.path("expires_in"), redaction));
    }

    /** The refresh token. If a renewal brings none, the one that it used stays good (RFC 6749, section 6). */
    private static String refreshToken(String found, String sent) {
        if (found.isEmpty() && sent.isEmpty()) {
            LOG.warn(
                    "found no refresh_token beside the access token, which can't be renewed: the next one needs a code");
        }
        return found.isEmpty() ? sent : found;
    }

    /** The lifetime: a number in any form. If it makes no sense, a short one is assumed. */
    private Duration lifetime(JsonNode expiresIn, Redaction redaction) {
        boolean seconds = unit == ExpiryUnit.SECONDS;
        // Jackson reads true as 1.
        double millis = expiresIn.isBoolean() ? 0 : expiresIn.asDouble() * (seconds ? 1000 : 1);
        if (!(millis >= LEAST_MILLIS && millis <= MOST_MILLIS)) {
            LOG.warn(
                    "found expires_in {} ({}), expected from 1 second to 3650 days: the token is taken for one of {}"
                            + " minutes",
                    expiresIn.isMissingNode() ? "missing" : redaction.apply(expiresIn.toString()),
                    seconds ? "seconds" : "milliseconds",
                    UNKNOWN_LIFETIME.toMinutes());
            return UNKNOWN_LIFETIME;
        }
        if (seconds && millis > SUSPICIOUS_SECONDS * 1000) {
            LOG.warn(
                    "the token's expires_in is {} seconds, which is {} days: if it is in milliseconds, set"
                            + " token.expires-in-unit",
                    redaction.apply(expiresIn.toString()),
                    Duration.ofMillis((long) millis).toDays());
        }
        return Duration.ofMillis((long) millis);
    }

    private static @Nullable Long integer(JsonNode node, String field) {
        JsonNode value = node.path(field);
        return value.isIntegralNumber() && value.canConvertToLong() ? value.longValue() : null;
    }

    private static TokenFailure mistyped(int status, @Nullable Long code, String msg, String field, String expected) {
        return new TokenFailure(
                FailureKind.MISTYPED, status, code, msg, "the answer's " + field + " is not " + expected);
    }
}
