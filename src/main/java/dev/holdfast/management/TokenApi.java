package dev.holdfast.management;

import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@code GET /api/v1/token} and {@code POST /api/v1/token/exchange} with {@code {"code": "..."}}. No answer has a token
 * in it, nor the code that was sent.
 */
public final class TokenApi implements ApiPart {
    private static final int BAD_GATEWAY = 502;

    private final @Nullable TokenControl control;
    private final AuditTrail audit;

    /** @param control null: the configuration has no token section */
    public TokenApi(@Nullable TokenControl control, AuditTrail audit) {
        this.control = control;
        this.audit = audit;
    }

    @Override
    public void addTo(ApiRoutes routes) {
        routes.get("/token", none -> control().status().get());
        routes.post("/token/exchange", List.of("code"), this::exchange);
    }

    private Future<JsonObject> exchange(RequestValues body) {
        if (body.get("code") instanceof String code && !code.isBlank()) {
            return control().exchange().apply(code).map(result -> noted(body, result));
        }
        throw new IllegalArgumentException("expected a JSON body {\"code\": \"...\"} of type application/json");
    }

    private JsonObject noted(RequestValues body, JsonObject result) {
        boolean exchanged = result.getBoolean("exchanged");
        String target = exchanged ? "the access token" : "nothing: the exchange failed";
        audit.record(body, "token.exchange", target, null, null);
        if (!exchanged) {
            body.ctx().response().setStatusCode(BAD_GATEWAY);
        }
        return result;
    }

    private TokenControl control() {
        if (control == null) {
            throw ApiAnswers.Failure.notFound("the configuration has no token section");
        }
        return control;
    }
}
