package dev.holdfast.management;

import dev.holdfast.consumer.FailureText;
import dev.holdfast.consumer.FailureTrace;
import dev.holdfast.logging.Printable;
import dev.holdfast.store.TooManyReplaysException;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How the API answers: in JSON, and with one place where a failure becomes a status. */
final class ApiAnswers {
    private static final Logger LOG = LoggerFactory.getLogger(ApiAnswers.class);
    private static final String JSON = "application/json";
    private static final String PROBLEM = "application/problem+json";

    private static final int LONGEST_SHOWN = 300;

    private ApiAnswers() {}

    /** A request that can't be done as it was asked for. */
    static final class Failure extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final int status;

        Failure(int status, String detail) {
            super(detail);
            this.status = status;
        }

        static Failure notFound(String detail) {
            return new Failure(404, detail);
        }
    }

    /**
     * Answers with the action's result, and 200 unless it has set another status. Completes when the answer is written
     * out.
     */
    static Future<Void> answer(RoutingContext ctx, Future<JsonObject> action) {
        // Writing a push of many MiB takes a while, for which no event loop has time: pushes come in on it.
        return action.compose(json -> ctx.vertx().executeBlocking(() -> text(json), false))
                .andThen((text, failure) -> {
                    if (failure != null) {
                        ctx.fail(failure);
                    }
                })
                .compose(text -> end(ctx.response(), JSON, text));
    }

    /**
     * The one place where a failure becomes a status: 400 for an {@link IllegalArgumentException}, 409 for a
     * {@link TooManyReplaysException}, that of a {@link Failure}, or 500.
     */
    static void failed(RoutingContext ctx, Throwable failure) {
        if (failure instanceof IllegalArgumentException) {
            problem(ctx, 400, String.valueOf(failure.getMessage()));
        } else if (failure instanceof TooManyReplaysException) {
            problem(ctx, 409, String.valueOf(failure.getMessage()));
        } else if (failure instanceof Failure known) {
            problem(ctx, known.status, String.valueOf(known.getMessage()));
        } else {
            LOG.warn(
                    "{} {} failed: {}",
                    ctx.request().method(),
                    Printable.cut(String.valueOf(ctx.request().path()), LONGEST_SHOWN),
                    Printable.cut(FailureText.of(failure), LONGEST_SHOWN));
            LOG.debug("it failed: {}", FailureTrace.of(failure));
            problem(ctx, 500, "it failed; the gateway's log says why");
        }
    }

    /**
     * Answers with a problem detail (RFC 9457). There are no types of problems of its own: the status says what kind it is.
     *
     * @param detail what was found and what was expected
     */
    static void problem(RoutingContext ctx, int status, String detail) {
        // The rest of a body that is too large may be malformed, too, or never come.
        if (!ctx.response().headWritten()) {
            problem(ctx.response(), status, detail);
        }
    }

    /** The same where there is no more than a response. */
    static Future<Void> problem(HttpServerResponse response, int status, String detail) {
        JsonObject problem = new JsonObject()
                .put("type", "about:blank")
                .put("title", HttpResponseStatus.valueOf(status).reasonPhrase())
                .put("status", status)
                .put("detail", detail);
        return end(response.setStatusCode(status), PROBLEM, text(problem));
    }

    /** Answers with JSON that is so small that it is written at once. */
    static void answer(RoutingContext ctx, int status, JsonObject json) {
        end(ctx.response().setStatusCode(status), JSON, text(json));
    }

    private static Buffer text(JsonObject json) {
        return json.toBuffer().appendByte((byte) '\n');
    }

    private static Future<Void> end(HttpServerResponse response, String type, Buffer text) {
        return response.putHeader(HttpHeaders.CONTENT_TYPE, type)
                .putHeader(HttpHeaders.CACHE_CONTROL, "no-store")
                .end(text);
    }
}
