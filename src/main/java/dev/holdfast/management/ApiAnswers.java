package dev.holdfast.management;

import io.vertx.core.Future;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How the API reads what it is sent and answers: JSON both ways, and one place where a failure becomes a status. */
final class ApiAnswers {
    private static final Logger LOG = LoggerFactory.getLogger(ApiAnswers.class);
    private static final String JSON = "application/json";

    private ApiAnswers() {}

    /** Answers with what {@code action} brings: 200, or 400 for an {@link IllegalArgumentException}, or 500. */
    static void answer(RoutingContext ctx, Function<RoutingContext, Future<JsonObject>> action) {
        Future<JsonObject> answer;
        try {
            answer = action.apply(ctx);
        } catch (IllegalArgumentException e) {
            answer = Future.failedFuture(e);
        }
        answer.onSuccess(json -> answer(ctx, 200, json)).onFailure(failure -> failed(ctx, failure));
    }

    private static void failed(RoutingContext ctx, Throwable failure) {
        if (failure instanceof IllegalArgumentException) {
            answer(ctx, 400, new JsonObject().put("error", failure.getMessage()));
        } else {
            LOG.warn("{} {} failed", ctx.request().method(), ctx.request().path(), failure);
            answer(ctx, 500, new JsonObject().put("error", "it failed; the gateway's log says why"));
        }
    }

    /**
     * The body of a POST. A browser sends no JSON from another site without asking first, and nobody says yes.
     *
     * @throws IllegalArgumentException when it is no JSON object of that type
     */
    static JsonObject body(RoutingContext ctx) {
        String type = ctx.request().getHeader(HttpHeaders.CONTENT_TYPE);
        if (type != null && type.split(";", 2)[0].strip().equalsIgnoreCase(JSON)) {
            try {
                JsonObject body = ctx.body().asJsonObject();
                if (body != null) {
                    return body;
                }
            } catch (DecodeException | ClassCastException e) {
                throw new IllegalArgumentException("found a body that is no JSON object", e);
            }
        }
        throw new IllegalArgumentException("found no JSON object of type application/json, expected one");
    }

    /** @throws IllegalArgumentException when it is there and no whole number from 0 on */
    static long number(String name, @Nullable Object value, long fallback) {
        if (value == null) {
            return fallback;
        }
        try {
            long number = value instanceof String text ? Long.parseLong(text) : ((Number) value).longValue();
            if (number >= 0) {
                return number;
            }
        } catch (NumberFormatException | ClassCastException e) {
            throw notANumber(name);
        }
        throw notANumber(name);
    }

    private static IllegalArgumentException notANumber(String name) {
        return new IllegalArgumentException(name + ": expected a whole number from 0 on");
    }

    /** @throws IllegalArgumentException when it is there and no text */
    static @Nullable String text(String name, @Nullable Object value) {
        if (value == null || value instanceof String) {
            return (String) value;
        }
        throw new IllegalArgumentException(name + ": expected a text");
    }

    /** @throws IllegalArgumentException when it is there and no instant such as {@code 2026-01-31T00:00:00Z} */
    static long instant(String name, @Nullable Object value, long fallback) {
        String text = text(name, value);
        try {
            return text == null ? fallback : Instant.parse(text).toEpochMilli();
        } catch (DateTimeException | ArithmeticException e) {
            throw new IllegalArgumentException(name + ": expected an instant such as 2026-01-31T00:00:00Z", e);
        }
    }

    private static void answer(RoutingContext ctx, int status, JsonObject json) {
        ctx.response()
                .setStatusCode(status)
                .putHeader(HttpHeaders.CONTENT_TYPE, JSON)
                .putHeader(HttpHeaders.CACHE_CONTROL, "no-store")
                .end(json.encode() + "\n");
    }
}
