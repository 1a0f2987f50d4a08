package dev.holdfast.token;

import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.streams.WriteStream;
import org.jspecify.annotations.Nullable;

/** Collects an answer's body up to a limit, and reports once when it is longer. On one context. */
final class BoundedBody implements WriteStream<Buffer> {
    private final int limit;
    private final Runnable overflow;
    private final Buffer body = Buffer.buffer();
    private boolean overflown;

    BoundedBody(int limit, Runnable overflow) {
        this.limit = limit;
        this.overflow = overflow;
    }

    byte[] bytes() {
        return body.getBytes();
    }

    @Override
    public Future<Void> write(Buffer data) {
        if (!overflown && body.length() + data.length() > limit) {
            overflown = true;
            overflow.run();
        }
        if (!overflown) {
            body.appendBuffer(data);
        }
        return Future.succeededFuture();
    }

    @Override
    public Future<Void> end() {
        return Future.succeededFuture();
    }

    @Override
    public BoundedBody exceptionHandler(@Nullable Handler<Throwable> handler) {
        return this;
    }

    @Override
    public BoundedBody setWriteQueueMaxSize(int maxSize) {
        return this;
    }

    @Override
    public boolean writeQueueFull() {
        return false;
    }

    @Override
    public BoundedBody drainHandler(@Nullable Handler<Void> handler) {
        return this;
    }
}
