package dev.holdfast.simulator;

import io.vertx.core.MultiMap;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The simulated platform's codes and tokens, and its answers to queries. Values are Base64, so that one in a query
 * arrives only if it was encoded. On one thread.
 */
final class TokenIssuer {
    private static final String EXCHANGE = "authorization_code";
    private static final String RENEWAL = "refresh_token";
    private static final int RANDOM_BYTES = 26;
    private static final String SCOPE = "conversations clients";

    private final TokenScript script;
    private final InstantSource clock;
    private final RandomGenerator random;
    private final Map<String, Instant> codes = new HashMap<>();
    private final Map<String, Grant> refreshTokens = new HashMap<>();

    /** The refresh tokens of one exchanged code that are still good. */
    private static final class Grant {
        private String newest = "";
        private @Nullable String before;
    }

    TokenIssuer(TokenScript script, InstantSource clock, RandomGenerator random) {
        this.script = script;
        this.clock = clock;
        this.random = random;
    }

    String issueCode() {
        String code = value("code");
        codes.put(code, clock.instant().plus(script.codeLifetime()));
        return code;
    }

    /**
     * What is answered to a query.
     *
     * @param expired whether a good code or refresh token is refused as if it had expired
     */
    TokenAnswer answer(MultiMap query, boolean expired) {
        for (String name : List.of("appId", "appSecret", "grantType")) {
            if (isMissing(query, name)) {
                return missing(name);
            }
        }
        if (!query.get("appId").equals(script.appId())
                || !query.get("appSecret").equals(script.appSecret())) {
            return TokenAnswer.refusal(TokenAnswer.APPLICATION, "unknown application or wrong secret");
        }
        return switch (query.get("grantType")) {
            case EXCHANGE -> isMissing(query, "code") ? missing("code") : exchange(query.get("code"), expired);
            case RENEWAL ->
                isMissing(query, "refreshToken") ? missing("refreshToken") : renew(query.get("refreshToken"), expired);
            default -> TokenAnswer.refusal(TokenAnswer.GRANT_TYPE, "unknown grantType");
        };
    }

    private static boolean isMissing(MultiMap query, String name) {
        List<String> values = query.getAll(name);
        return values.size() != 1 || values.get(0).isEmpty();
    }

    private static TokenAnswer missing(String name) {
        return TokenAnswer.refusal(TokenAnswer.PARAMETER, "parameter " + name + " missing, empty or there twice");
    }

    private TokenAnswer exchange(String code, boolean expired) {
        Instant end = expired ? Instant.MIN : codes.remove(code);
        if (end == null) {
            return TokenAnswer.refusal(TokenAnswer.CODE, "unknown or used code");
        }
        if (!clock.instant().isBefore(end)) {
            return TokenAnswer.refusal(TokenAnswer.CODE_EXPIRED, "code expired");
        }
        return tokens(new Grant());
    }

    private TokenAnswer renew(String refreshToken, boolean expired) {
        if (expired) {
            return TokenAnswer.refusal(TokenAnswer.REFRESH_TOKEN, "refresh token expired");
        }
        Grant grant = refreshTokens.get(refreshToken);
        if (grant == null) {
            return TokenAnswer.refusal(TokenAnswer.REFRESH_TOKEN, "unknown or used refresh token");
        }
        boolean usedNewest = refreshToken.equals(grant.newest);
        refreshTokens.remove(usedNewest ? grant.before : grant.newest);
        grant.before = refreshToken;
        if (script.strictRotation()) {
            refreshTokens.remove(refreshToken);
        }
        return tokens(grant);
    }

    private TokenAnswer tokens(Grant grant) {
        grant.newest = value("refresh");
        refreshTokens.put(grant.newest, grant);
        JsonObject data = new JsonObject()
                .put("access_token", value("access"))
                .put("expires_in", script.lifetime().toSeconds())
                .put("refresh_token", grant.newest)
                .put("scope", SCOPE);
        return new TokenAnswer(0, "success", data);
    }

    private String value(String kind) {
        byte[] bytes = new byte[RANDOM_BYTES];
        random.nextBytes(bytes);
        return kind + "/+" + Base64.getEncoder().encodeToString(bytes);
    }
}
