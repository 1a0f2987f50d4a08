package dev.holdfast.management;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import org.jspecify.annotations.Nullable;

/**
 * {@code GET /api/token} and {@code POST /api/token/exchange} with {@code {"code": "..."}}. Neither ever answers with a
 * token, nor with what it was sent.
 */
public final class TokenApi implements ApiPart {
    private static final String JSON = "application/json";

    private final @Nullable TokenControl control;

    /** @param control null: the configuration has no token section */
    public TokenApi(@Nullable TokenControl control) {
        this.control = control;
    }

    @Override
    public void addTo(Router router) {
        router.get("/api/token").handler(this::status);
        // a browser sends no JSON from another site without asking first, and nobody says yes
        router.post("/api/token/exchange")
                .handler(ApiAnswers.bodies())
                .handler(this::exchange)
                .failureHandler(
                        ctx -> ApiAnswers.error(ctx, Math.max(400, ctx.statusCode()), "a body that is not taken"));
    }

    private void status(RoutingContext ctx) {
        if (control == null) {
            notConfigured(ctx);
            return;
        }
        control.status().get().onComplete(status -> ApiAnswers.answer(ctx, 200, status), failure -> failed(ctx));
    }

    private void exchange(RoutingContext ctx) {
        if (control == null) {
            notConfigured(ctx);
            return;
        }
        String code = code(ctx);
        if (code == null) {
            ApiAnswers.error(ctx, 400, "expected a JSON body {\"code\": \"...\"} of type application/json");
            return;
        }
        control.exchange()
                .apply(code)
                .onComplete(
                        result -> ApiAnswers.answer(ctx, result.getBoolean("exchanged") ? 200 : 502, result),
                        failure -> failed(ctx));
    }

    private static @Nullable String code(RoutingContext ctx) {
        String type = ctx.request().getHeader(HttpHeaders.CONTENT_TYPE);
        if (type == null || !type.split(";", 2)[0].strip().equalsIgnoreCase(JSON)) {
            return null;
        }
        try {
            JsonObject body = ctx.body().asJsonObject();
            return body != null && body.getValue("code") instanceof String code && !code.isBlank() ? code : null;
        } catch (DecodeException | ClassCastException e) {
            // its message quotes the body
            return null;
        }
    }

    private static void notConfigured(RoutingContext ctx) {
        ApiAnswers.error(ctx, 404, "the configuration has no token section");
    }

    private static void failed(RoutingContext ctx) {
        ApiAnswers.error(ctx, 500, "the token can't be asked for");
    }
}
