package dev.holdfast.simulator;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonObject;
import org.jspecify.annotations.Nullable;

/** Writes an answer of the token endpoint, with what goes wrong on purpose. */
final class TokenReply {
    private static final int OVERSIZE_BYTES = 1024 * 1024;

    private final Vertx vertx;
    private final long slowMillis;

    TokenReply(Vertx vertx, long slowMillis) {
        this.vertx = vertx;
        this.slowMillis = slowMillis;
    }

    void write(HttpServerRequest request, TokenAnswer answer, @Nullable TokenFault fault) {
        String text = answer.json().encode();
        if (fault == null) {
            end(request, status(answer), text);
            return;
        }
        switch (fault) {
            case SLOW -> vertx.setTimer(slowMillis, timer -> end(request, status(answer), text));
            case STATUS_500 -> end(request, 500, text);
            case BROKEN_JSON -> end(request, 200, text.substring(0, text.length() - 1));
            case WRONG_TYPES -> end(request, 200, withLifetime(answer, "7200"));
            case NO_LIFETIME -> end(request, 200, withLifetime(answer, 0));
            case OVERSIZE -> end(request, 200, text + " ".repeat(OVERSIZE_BYTES));
            case REDIRECT -> redirect(request);
            case RESET, LOST_ANSWER -> request.connection().close();
            case EXPIRED_CODE -> end(request, 200, text);
        }
    }

    private static String withLifetime(TokenAnswer answer, Object lifetime) {
        JsonObject json = answer.json();
        JsonObject data = json.getJsonObject("data");
        if (data != null) {
            data.put("expires_in", lifetime);
        }
        return json.encode();
    }

    private static void redirect(HttpServerRequest request) {
        HttpServerResponse response = request.response();
        response.setStatusCode(302)
                .putHeader(HttpHeaders.LOCATION, request.uri())
                .end();
    }

    private static int status(TokenAnswer answer) {
        return switch (answer.code()) {
            case TokenAnswer.PATH -> 404;
            case TokenAnswer.INTERNAL -> 500;
            default -> 200;
        };
    }

    private static void end(HttpServerRequest request, int status, String text) {
        HttpServerResponse response = request.response();
        if (!response.closed()) {
            response.setStatusCode(status)
                    .putHeader(HttpHeaders.CONTENT_TYPE, "application/json; charset=utf-8")
                    .end(text);
        }
    }
}
