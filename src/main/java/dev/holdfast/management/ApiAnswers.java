package dev.holdfast.management;

import dev.holdfast.consumer.FailureText;
import dev.holdfast.consumer.FailureTrace;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.BodyHandler;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How the API answers: in JSON, and with one place where a failure becomes a status. */
final class ApiAnswers {
    private static final Logger LOG = LoggerFactory.getLogger(ApiAnswers.class);
    private static final String JSON = "application/json";
    private static final String PROBLEM = "application/problem+json";

    private static final int LARGEST_BODY = 16 * 1024;
    private static final int LONGEST_SHOWN = 300;

    private ApiAnswers() {}

    /** Takes the bodies of POSTs, up to a bound. */
    static BodyHandler bodies() {
        return BodyHandler.create(false).setBodyLimit(LARGEST_BODY);
    }

    /** What was asked for by name is not there. */
    static final class NotFound extends RuntimeException {
        private static final long serialVersionUID = 1L;

        NotFound(String message) {
            super(message);
        }
    }

    /**
     * Answers with what {@code action} brings: 200, or 400 for an {@link IllegalArgumentException}, 404 for a
     * {@link NotFound}, or 500.
     */
    static void answer(RoutingContext ctx, Function<RoutingContext, Future<JsonObject>> action) {
        answer(ctx, action, json -> 200);
    }

    /** The same with a status that depends on what it brings. */
    static void answer(
            RoutingContext ctx, Function<RoutingContext, Future<JsonObject>> action, ToIntFunction<JsonObject> status) {
        Future<JsonObject> answer;
        try {
            answer = action.apply(ctx);
        } catch (IllegalArgumentException | NotFound e) {
            answer = Future.failedFuture(e);
        }
        // A push of many MiB takes a while to write out, for which no event loop has time: pushes come in on it.
        answer.compose(json -> ctx.vertx()
                        .executeBlocking(() -> text(json), false)
                        .<Runnable>map(text -> () -> answer(ctx, status.applyAsInt(json), JSON, text)))
                .onComplete(Runnable::run, failure -> failed(ctx, failure));
    }

    /** The one place where a failure becomes a status. */
    static void failed(RoutingContext ctx, Throwable failure) {
        if (failure instanceof IllegalArgumentException) {
            problem(ctx, 400, String.valueOf(failure.getMessage()));
        } else if (failure instanceof NotFound) {
            problem(ctx, 404, String.valueOf(failure.getMessage()));
        } else {
            LOG.warn(
                    "{} {} failed: {}",
                    ctx.request().method(),
                    shown(ctx.request().path()),
                    shown(FailureText.of(failure)));
            LOG.debug("it failed: {}", FailureTrace.of(failure));
            problem(ctx, 500, "it failed; the gateway's log says why");
        }
    }

    /** As much as a line of the log may have of what somebody else wrote. */
    private static String shown(@Nullable String text) {
        return text == null || text.length() <= LONGEST_SHOWN
                ? String.valueOf(text)
                : text.substring(0, LONGEST_SHOWN) + "…";
    }

    /**
     * Answers with a problem detail (RFC 9457). There are no types of problems of its own: the status says what kind it is.
     *
     * @param detail what was found and what was expected
     */
    static void problem(RoutingContext ctx, int status, String detail) {
        JsonObject problem = new JsonObject()
                .put("type", "about:blank")
                .put("title", HttpResponseStatus.valueOf(status).reasonPhrase())
                .put("status", status)
                .put("detail", detail);
        answer(ctx, status, PROBLEM, text(problem));
    }

    /** Answers with what is soon written out. */
    static void answer(RoutingContext ctx, int status, JsonObject json) {
        answer(ctx, status, JSON, text(json));
    }

    private static Buffer text(JsonObject json) {
        return json.toBuffer().appendByte((byte) '\n');
    }

    private static void answer(RoutingContext ctx, int status, String type, Buffer text) {
        ctx.response()
                .setStatusCode(status)
                .putHeader(HttpHeaders.CONTENT_TYPE, type)
                .putHeader(HttpHeaders.CACHE_CONTROL, "no-store")
                .end(text);
    }
}
