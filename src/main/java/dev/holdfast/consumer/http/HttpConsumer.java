package dev.holdfast.consumer.http;

import dev.holdfast.config.ConsumerConfig;
import dev.holdfast.consumer.PushConsumer;
import dev.holdfast.push.PermanentFailure;
import dev.holdfast.push.Push;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Forwards the exact bytes of each push to a URL, with content type, content encoding and signature as they were
 * received, so that a receiver that verifies the platform's pushes can verify these. {@code 2xx} is done; {@code 1xx},
 * {@code 407}, {@code 408}, {@code 425}, {@code 429}, {@code 5xx} and a failing network are tried again; every other
 * answer is a {@link PermanentFailure}. Short name {@code http}.
 */
public final class HttpConsumer extends PushConsumer {
    private Forwarder forwarder;

    @SuppressWarnings("NullAway.Init") // the forwarder is made in start(), which comes before everything else
    public HttpConsumer() {}

    /**
     * Checks the options of a consumer that is not started.
     *
     * @param signatureHeaders names of the headers with the endpoints' signatures
     * @param files gets each file that the options name, before it is read
     * @throws IllegalArgumentException on a mistake, without showing a value
     */
    public static void check(ConsumerConfig config, List<String> signatureHeaders, Consumer<Path> files) {
        HttpOptions.read(config.name(), config.timeout(), signatureHeaders, config.options(), files);
    }

    @Override
    public Future<?> start() throws Exception {
        HttpOptions options = HttpOptions.read(
                name(), consumer().timeout(), consumer().signatureHeaders().values(), options(), file -> {});
        forwarder = new Forwarder(vertx, options, consumer(), InstantSource.system());
        return super.start();
    }

    /** The options as plain maps: Vert.x has a type of its own for an inner section. */
    private Map<String, Object> options() {
        Map<String, Object> options = new HashMap<>();
        config().getMap()
                .forEach((key, value) ->
                        options.put(key, value instanceof JsonObject section ? section.getMap() : value));
        return options;
    }

    @Override
    public Future<?> stop() throws Exception {
        return super.stop().andThen((stopped, failure) -> forwarder.close());
    }

    @Override
    protected Future<?> handle(Push push) {
        return forwarder.forward(push);
    }
}
