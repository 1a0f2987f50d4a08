package dev.holdfast.management;

import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@code GET /api/v1/token} and {@code POST /api/v1/token/exchange} with {@code {"code": "..."}}. Neither ever answers with a
 * token, nor with what it was sent.
 */
public final class TokenApi implements ApiPart {
    private final @Nullable TokenControl control;
    private final AuditTrail audit;

    /** @param control null: the configuration has no token section */
    public TokenApi(@Nullable TokenControl control, AuditTrail audit) {
        this.control = control;
        this.audit = audit;
    }

    @Override
    public void addTo(Router router) {
        router.get("/token").handler(ctx -> ApiAnswers.answer(ctx, this::status));
        router.post("/token/exchange")
                .handler(ApiAnswers.bodies())
                .handler(ctx ->
                        ApiAnswers.answer(ctx, this::exchange, result -> result.getBoolean("exchanged") ? 200 : 502));
    }

    private Future<JsonObject> status(RoutingContext ctx) {
        RequestValues.ofNothing(ctx);
        return control().status().get();
    }

    private Future<JsonObject> exchange(RoutingContext ctx) {
        RequestValues.ofBody(ctx, List.of("code"));
        if (RequestValues.body(ctx).getValue("code") instanceof String code && !code.isBlank()) {
            return control().exchange().apply(code).map(result -> noted(ctx, result));
        }
        throw new IllegalArgumentException("expected a JSON body {\"code\": \"...\"} of type application/json");
    }

    private JsonObject noted(RoutingContext ctx, JsonObject result) {
        String target = result.getBoolean("exchanged") ? "the access token" : "nothing: the exchange failed";
        audit.record(ctx, "token.exchange", target, null, null);
        return result;
    }

    private TokenControl control() {
        if (control == null) {
            throw new ApiAnswers.NotFound("the configuration has no token section");
        }
        return control;
    }
}
