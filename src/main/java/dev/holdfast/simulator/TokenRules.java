package dev.holdfast.simulator;

import io.vertx.core.MultiMap;
import java.util.List;

/** What the token endpoint answers to a query. On one thread. */
final class TokenRules {
    private static final String EXCHANGE = "authorization_code";
    private static final String RENEWAL = "refresh_token";

    private final TokenIssuer issuer;

    TokenRules(TokenIssuer issuer) {
        this.issuer = issuer;
    }

    /** @param expired whether a good code or refresh token is refused as if it had expired */
    TokenAnswer answer(MultiMap query, boolean expired) {
        for (String name : List.of("appId", "appSecret", "grantType")) {
            if (isMissing(query, name)) {
                return missing(name);
            }
        }
        if (!issuer.knows(query.get("appId"), query.get("appSecret"))) {
            return TokenAnswer.refusal(TokenAnswer.APPLICATION, "unknown application or wrong secret");
        }
        return switch (query.get("grantType")) {
            case EXCHANGE -> isMissing(query, "code") ? missing("code") : exchange(query.get("code"), expired);
            case RENEWAL ->
                isMissing(query, "refreshToken") ? missing("refreshToken") : renew(query.get("refreshToken"), expired);
            default -> TokenAnswer.refusal(TokenAnswer.GRANT_TYPE, "unknown grantType");
        };
    }

    private TokenAnswer exchange(String code, boolean expired) {
        return expired ? TokenAnswer.refusal(TokenAnswer.CODE_EXPIRED, "code expired") : issuer.exchange(code);
    }

    private TokenAnswer renew(String refreshToken, boolean expired) {
        return expired
                ? TokenAnswer.refusal(TokenAnswer.REFRESH_TOKEN, "refresh token expired")
                : issuer.renew(refreshToken);
    }

    private static boolean isMissing(MultiMap query, String name) {
        List<String> values = query.getAll(name);
        return values.size() != 1 || values.get(0).isEmpty();
    }

    private static TokenAnswer missing(String name) {
        return TokenAnswer.refusal(TokenAnswer.PARAMETER, "parameter " + name + " missing, empty or there twice");
    }
}
