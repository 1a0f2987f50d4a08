package dev.holdfast.receiver;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.tracing.PushTracer;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.GoAway;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.RequestOptions;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Pushes of HTTP/2 while the gateway is about to stop, for as long as its port is open. */
@Timeout(60)
class DrainedStreamsTest {
    private static final byte[] BODY = "{}".getBytes(UTF_8);

    @Test
    void anAnswerSendsItsConnectionsNextPushesElsewhereAndKeepsThoseUnderWay(@TempDir Path directory)
            throws IOException {
        Vertx vertx = Vertx.vertx();
        try (ReceiverUnderTest test =
                new ReceiverUnderTest(directory, "http2: true,", (cause, endpoint) -> {}, PushTracer.NONE)) {
            HttpClientAgent client = vertx.createHttpClient(new HttpClientOptions()
                    .setProtocolVersion(HttpVersion.HTTP_2)
                    .setHttp2ClearTextUpgrade(false));
            HttpClientRequest slow = post(client, test);
            Future<GoAway> goAway = Future.future(going -> slow.connection().goAwayHandler(going::tryComplete));
            slow.setChunked(true).write(Buffer.buffer("{")).await();
            HttpClientRequest next = post(client, test);
            assertThat(next.connection()).isSameAs(slow.connection());

            test.receiver.drain();
            assertThat(next.send(Buffer.buffer(BODY)).await().statusCode()).isEqualTo(200);

            // At its end the drain names the last of the connection's own streams.
            assertThat(goAway.await().getLastStreamId()).isEqualTo(Integer.MAX_VALUE);
            slow.end(Buffer.buffer("}")).await();
            assertThat(slow.response().await().statusCode()).isEqualTo(200);
            test.vertx.undeploy(test.deployment).await();
        } finally {
            vertx.close().await();
        }
    }

    private static HttpClientRequest post(HttpClientAgent client, ReceiverUnderTest test) {
        return client.request(new RequestOptions()
                        .setMethod(HttpMethod.POST)
                        .setHost("127.0.0.1")
                        .setPort(test.receiver.port())
                        .setURI("/a")
                        .putHeader("Service-Signature", test.sign(BODY)))
                .await();
    }
}
