package dev.holdfast.gateway;

import dev.holdfast.consumer.PushConsumer;
import dev.holdfast.push.Push;
import io.vertx.core.Future;

/** A consumer as an integrator writes one: hands each push to the {@link Deliveries} named in its options. */
public class RecordingConsumer extends PushConsumer {
    public RecordingConsumer() {}

    @Override
    protected Future<?> handle(Push push) {
        return Deliveries.of(config().getString("records")).attempt(push);
    }
}
