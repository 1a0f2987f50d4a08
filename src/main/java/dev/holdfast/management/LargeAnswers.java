package dev.holdfast.management;

import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Supplier;

/**
 * Limits how many answers with a body in them are made at a time, since each takes a multiple of the largest body in
 * memory from when it is read until it is written out. So nobody who asks for many, or doesn't read them, takes the
 * receiver's memory. Other requests wait until these answers are read, or their connections have been idle for too
 * long. Used by the port's event loop alone.
 */
final class LargeAnswers {
    private static final int MOST = 2;

    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private int begun;

    /** Answers with the result of {@code action}, which is called when its turn has come. */
    void answer(RoutingContext ctx, Supplier<Future<JsonObject>> action) {
        waiting.add(() -> begin(ctx, action));
        next();
    }

    private void next() {
        while (begun < MOST && !waiting.isEmpty()) {
            begun++;
            waiting.remove().run();
        }
    }

    private void begin(RoutingContext ctx, Supplier<Future<JsonObject>> action) {
        // The client has gone meanwhile: no answer is made.
        Future<Void> answered = ctx.response().closed()
                ? Future.succeededFuture()
                : ApiAnswers.answer(ctx, Future.succeededFuture().compose(v -> action.get()));
        answered.onComplete(written -> {
            begun--;
            next();
        });
    }
}
