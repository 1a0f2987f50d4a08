package dev.holdfast.consumer.http;

import dev.holdfast.consumer.ConsumerContext;
import dev.holdfast.consumer.format.CloudEvents;
import dev.holdfast.consumer.format.HeaderText;
import dev.holdfast.push.PermanentFailure;
import dev.holdfast.push.Push;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.AddressResolver;
import io.vertx.core.net.SocketAddress;
import java.time.InstantSource;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends pushes to one URL over a pool of connections, one for each push under way. Used on the context it was made on. */
final class Forwarder {
    private static final Logger LOG = LoggerFactory.getLogger(Forwarder.class);

    private final Vertx vertx;
    private final HttpOptions options;
    private final ConsumerContext consumer;
    private final InstantSource clock;
    private final HttpClient client;

    Forwarder(Vertx vertx, HttpOptions options, ConsumerContext consumer, InstantSource clock) {
        this.vertx = vertx;
        this.options = options;
        this.consumer = consumer;
        this.clock = clock;
        this.client = vertx.httpClientBuilder()
                .with(options.client())
                .with(new PoolOptions().setHttp1MaxSize(consumer.concurrency()))
                // Otherwise Vert.x 5.1.6 looks a name up once, and again only when no push came for ten seconds (its
                // issue 6255).
                .withAddressResolver(AddressResolver.<SocketAddress>mappingResolver(List::of))
                .withConnectHandler(this::watch)
                .build();
        LOG.atInfo().addKeyValue("consumer", consumer.name()).log("{}: forwarding to {}", consumer.name(), options);
    }

    private void watch(HttpConnection connection) {
        // A broken connection fails its requests, which report it; without a handler Vert.x would log an error as well.
        connection.exceptionHandler(failure -> LOG.debug("{}: {}", consumer.name(), HttpAttempt.reason(failure)));
    }

    /** Succeeds when the receiver took the push; fails with {@link RetryLater} or {@link PermanentFailure}. */
    Future<Void> forward(Push push) {
        RequestOptions head = head(push);
        if (options.cloudEvents()) {
            head.putHeader(HttpHeaders.CONTENT_TYPE, CloudEvents.CONTENT_TYPE);
            return send(head, Buffer.buffer(CloudEvents.of(push)));
        }
        if (!push.contentType().isEmpty()) {
            head.putHeader(HttpHeaders.CONTENT_TYPE, push.contentType());
        }
        if (!push.contentEncoding().isEmpty()) {
            head.putHeader(HttpHeaders.CONTENT_ENCODING, push.contentEncoding());
        }
        head.putHeader(consumer.signatureHeader(push.endpoint()), push.signature());
        return send(head, push.body());
    }

    private Future<Void> send(RequestOptions head, Buffer body) {
        return new HttpAttempt(vertx, client, options, clock).run(head, body);
    }

    /** Closes the connections. Not waited for: where attempts were just given up, Vert.x 5.1.6 may never say that it has. */
    void close() {
        var unused = client.close();
    }

    private RequestOptions head(Push push) {
        TargetUrl target = options.target();
        RequestOptions head = new RequestOptions()
                .setMethod(HttpMethod.POST)
                .setSsl(target.tls())
                .setHost(target.host())
                .setPort(target.port())
                .setURI(target.uri(push.query()));
        options.headers().forEach(head::putHeader);
        push.traceHeaders().forEach(head::putHeader);
        if (push.replay()) {
            head.putHeader("Holdfast-Replay", "true");
        }
        if (push.late()) {
            head.putHeader("Holdfast-Late", "true");
        }
        return head.putHeader("Holdfast-Seq", Long.toString(push.seq()))
                .putHeader("Holdfast-Event", HeaderText.encode(push.event()))
                .putHeader("Holdfast-Attempt", Integer.toString(push.attempt()))
                .putHeader("Holdfast-Received-At", push.receivedAt().toString());
    }
}
