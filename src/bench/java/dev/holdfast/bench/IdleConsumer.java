package dev.holdfast.bench;

import dev.holdfast.consumer.PushConsumer;
import dev.holdfast.push.Push;
import io.vertx.core.Future;

/** Does nothing with a push. */
public final class IdleConsumer extends PushConsumer {
    public IdleConsumer() {}

    @Override
    protected Future<?> handle(Push push) {
        return Future.succeededFuture();
    }
}
