package dev.holdfast.management;

import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Supplier;

/**
 * Answers with a body in them, for each of which some times the largest body may be in memory, from when it is read until it is
 * written out: a few at a time, so that nobody who asks for many, or doesn't read them, takes the receiver's memory. Others wait
 * until these are read, or their connections have been idle for too long. Lives on the port's event loop.
 */
final class LargeAnswers {
    private static final int MOST = 2;

    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private int begun;

    /** Answers with what {@code action} brings, when its turn has come. */
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
        // Who has gone meanwhile gets none.
        Future<Void> answered = ctx.response().closed()
                ? Future.succeededFuture()
                : ApiAnswers.answer(ctx, Future.succeededFuture().compose(v -> action.get()));
        answered.onComplete(written -> {
            begun--;
            next();
        });
    }
}
