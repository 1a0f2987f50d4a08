package dev.holdfast.consumer;

import dev.holdfast.push.Push;
import io.vertx.core.Future;
import java.time.InstantSource;

/**
 * Forwards the exact bytes of each push to a URL, with the content type and the signature as they were received, so that
 * what verifies the platform's pushes verifies these. {@code 2xx} is done; {@code 1xx}, {@code 408}, {@code 425},
 * {@code 429}, {@code 5xx} and a failing network are tried again; every other answer is a {@link PermanentFailure}. Short name
 * {@code http}.
 */
final class HttpConsumer extends PushConsumer {
    private Forwarder forwarder;

    @SuppressWarnings("NullAway.Init") // the forwarder is made in start(), which comes before everything else
    HttpConsumer() {}

    @Override
    public Future<?> start() throws Exception {
        HttpOptions options = HttpOptions.read(name(), consumer().timeout(), config().getMap());
        forwarder = new Forwarder(vertx, options, consumer(), InstantSource.system());
        return super.start();
    }

    @Override
    public Future<?> stop() throws Exception {
        return super.stop().eventually(forwarder::close);
    }

    @Override
    protected Future<?> handle(Push push) {
        return forwarder.forward(push);
    }
}
