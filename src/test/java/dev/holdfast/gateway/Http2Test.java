package dev.holdfast.gateway;

import static dev.holdfast.gateway.GatewayUnderTest.bytes;
import static dev.holdfast.gateway.GatewayUnderTest.envelope;
import static dev.holdfast.gateway.GatewayUnderTest.sign;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Eventually;
import dev.holdfast.config.HeapPlan;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.RequestOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** With {@code http2: true}, without TLS. */
@Timeout(60)
@Execution(ExecutionMode.CONCURRENT)
class Http2Test {
    /** No more than a connection may have at once. */
    private static final int STREAMS = 50;

    @TempDir
    Path directory;

    private Vertx vertx;
    private HttpClientAgent client;
    private GatewayUnderTest gateway;

    @BeforeEach
    void start() {
        GatewaySettings settings = new GatewaySettings()
                .receiver("http2: true")
                .receiver("max-body: 64KiB")
                .receiver("idle-timeout: 7s");
        gateway = GatewayUnderTest.start(settings, directory);
        vertx = Vertx.vertx();
        client = client(false);
    }

    @AfterEach
    void stop() {
        vertx.close().await();
        gateway.close();
    }

    private HttpClientAgent client(boolean upgrade) {
        return vertx.createHttpClient(
                new HttpClientOptions().setProtocolVersion(HttpVersion.HTTP_2).setHttp2ClearTextUpgrade(upgrade));
    }

    private HttpClientRequest post(byte[] body) {
        return post(client, body);
    }

    private HttpClientRequest post(HttpClientAgent client, byte[] body) {
        return asked(client, body).await();
    }

    private Future<HttpClientRequest> asked(HttpClientAgent client, byte[] body) {
        return client.request(new RequestOptions()
                .setMethod(HttpMethod.POST)
                .setHost("localhost")
                .setPort(gateway.port())
                .setURI("/webhook")
                .putHeader("Service-Signature", sign(body)));
    }

    @Test
    void aPushIsTakenByPriorKnowledge() {
        byte[] body = bytes(envelope("client.created", 1));

        HttpClientResponse response = post(body).send(Buffer.buffer(body)).await();

        assertThat(response.version()).isEqualTo(HttpVersion.HTTP_2);
        assertThat(response.statusCode()).isEqualTo(200);
    }

    @Test
    void aClientThatAsksForAnUpgradeIsServedAllTheSame() {
        HttpClientAgent upgrading = client(true);
        for (int i = 0; i < 3; i++) {
            byte[] body = bytes(envelope("client.created", i));
            HttpClientResponse response =
                    post(upgrading, body).send(Buffer.buffer(body)).await();

            assertThat(response.version()).isEqualTo(HttpVersion.HTTP_1_1);
            assertThat(response.statusCode()).isEqualTo(200);
        }
    }

    @Test
    void whatIsRefusedBesideAnUpgradeIsCounted() {
        String upgrade = "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: ?\r\n";
        try (RawConnection connection = gateway.connect()) {
            connection.send("POST /webhook HTTP/1.1\r\n" + upgrade + "Content-Length: 0\r\n\r\n");

            assertThat(connection.answer().status()).isEqualTo(400);
        }
        assertThat(gateway.refusals("host")).isEqualTo(1);
    }

    /** What one connection may hold doesn't go by how many requests it has under way. */
    @Test
    void manyStreamsThatStallOnOneConnectionKeepNobodyElseOut() {
        gateway.close();
        int size = 1 << 20;
        GatewaySettings settings = new GatewaySettings()
                .receiver("http2: true")
                .receiver("max-body: " + size)
                .receiver("max-in-flight: " + 8 * size);
        gateway = GatewayUnderTest.start(settings, directory);
        byte[] body = Arrays.copyOf(bytes(envelope("client.created", 1)), size);
        for (int i = 0; i < STREAMS; i++) {
            post(body)
                    .putHeader("Content-Length", Integer.toString(size))
                    .writeHead()
                    .await();
        }
        Eventually.eventually(() -> assertThat(gateway.metric("holdfast_receiver_unverified_waiting_requests"))
                .isGreaterThan(STREAMS / 2.0));
        assertThat(gateway.metric("holdfast_receiver_unverified_bytes{room=\"large\"}"))
                .isLessThanOrEqualTo(size);

        try (RawConnection other = gateway.connectFrom("127.0.0.2")) {
            assertThat(other.send(GatewayUnderTest.signed(body)).answer().status())
                    .isEqualTo(200);
        }
        assertThat(gateway.push(envelope("client.created", 2)).status()).isEqualTo(200);
    }

    /** What waits for room leaves the connection's window to what is read. */
    @Test
    void largeBodiesThatComeAtOnceOnOneConnectionAreAllTaken() {
        gateway.close();
        int size = 1 << 20;
        GatewaySettings settings = new GatewaySettings()
                .receiver("http2: true")
                .receiver("max-body: " + size)
                .receiver("max-in-flight: " + size);
        gateway = GatewayUnderTest.start(settings, directory);
        List<Future<Integer>> answers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            String body = envelope("client.created", i);
            byte[] large = bytes(body + " ".repeat(size - body.length()));
            answers.add(post(large).send(Buffer.buffer(large)).map(HttpClientResponse::statusCode));
        }

        assertThat(answers).allSatisfy(answer -> assertThat(answer.await()).isEqualTo(200));
        assertThat(gateway.refusals("evicted")).isZero();
    }

    @Test
    void streamsThatThereIsNoMemoryForAreRefused() {
        int most = (int) (HeapPlan.ofProcess().streams() / 60_000);
        List<HttpClientAgent> attackers = new ArrayList<>();
        for (int opened = 0; opened <= most; opened += STREAMS) {
            HttpClientAgent attacker = client(false);
            attackers.add(attacker);
            for (int i = 0; i < STREAMS; i++) {
                post(attacker, bytes("{}")).putHeader("Content-Length", "60000").writeHead();
            }
        }
        Eventually.eventually(() -> assertThat(gateway.refusals("crowded")).isPositive());
        assertThat(gateway.metric("holdfast_receiver_streams")).isLessThanOrEqualTo(most);

        assertThat(gateway.push(envelope("client.created", 1)).status()).isEqualTo(200);

        attackers.forEach(attacker -> attacker.close().await());
        Eventually.eventually(
                () -> assertThat(gateway.metric("holdfast_receiver_streams")).isZero());
        byte[] body = bytes(envelope("client.created", 2));
        assertThat(post(body).send(Buffer.buffer(body)).await().statusCode()).isEqualTo(200);
    }

    /** As of a client that has many at once, whose heads all come before the bodies. */
    @Test
    void manySmallPushesAtOnceAreAllTaken() {
        Map<Future<HttpClientRequest>, byte[]> begun = new LinkedHashMap<>();
        List<HttpClientAgent> clients = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            if (i % STREAMS == 0) {
                clients.add(client(false));
            }
            byte[] body = bytes(envelope("client.created", i));
            // None waits for the one before: the first is too slow when the last takes long.
            Future<HttpClientRequest> head = asked(clients.get(clients.size() - 1), body)
                    .compose(request -> request.putHeader("Content-Length", String.valueOf(body.length))
                            .writeHead()
                            .map(request));
            begun.put(head, body);
        }
        Eventually.eventually(
                () -> assertThat(gateway.metric("holdfast_receiver_streams")).isEqualTo(1_000));

        begun.forEach((head, body) -> head.await().end(Buffer.buffer(body)));

        assertThat(begun.keySet())
                .allSatisfy(head ->
                        assertThat(head.await().response().await().statusCode()).isEqualTo(200));
        clients.forEach(client -> client.close().await());
    }

    @Test
    void anAnswerThatIsGivenNoWindowKeepsNoStream() {
        HttpClientAgent silent = vertx.createHttpClient(new HttpClientOptions()
                .setProtocolVersion(HttpVersion.HTTP_2)
                .setHttp2ClearTextUpgrade(false)
                .setInitialSettings(new Http2Settings().setInitialWindowSize(0)));
        HttpClientRequest refused = post(silent, bytes("{}"));
        refused.putHeader("Service-Signature", "0".repeat(40))
                .end(Buffer.buffer("{}"))
                .await();
        HttpClientResponse answer = refused.response().await();
        assertThat(answer.statusCode()).isEqualTo(401);

        assertThatThrownBy(() -> answer.body().await()).hasMessageContaining("reset");
        Eventually.eventually(
                () -> assertThat(gateway.metric("holdfast_receiver_streams")).isZero());
    }

    @Test
    void http11IsTakenAsWell() {
        assertThat(gateway.push(envelope("client.created", 1)).status()).isEqualTo(200);
    }

    @Test
    void oneOfHttp2ThatAsksNothingMoreIsEnded() {
        byte[] body = bytes(envelope("client.created", 1));
        HttpClientRequest request = post(body);
        Future<Void> closed = Future.future(ended -> request.connection().closeHandler(v -> ended.complete()));
        assertThat(request.send(Buffer.buffer(body)).await().statusCode()).isEqualTo(200);

        closed.await();
    }

    /** Also while it may still be of either version. */
    @ParameterizedTest
    @ValueSource(strings = {"", "P", "PRI * HTTP", "POST /web"})
    void aHeadThatDoesNotComeEndsTheConnectionWithTheHeaderTimeout(String begun) {
        gateway.close();
        gateway = GatewayUnderTest.start(
                new GatewaySettings().receiver("http2: true").receiver("header-timeout: 2s"), directory);
        try (RawConnection connection = gateway.connect()) {
            assertThat(connection.send(begun).isClosed()).isTrue();
        }
    }

    @Test
    void aRefusedRequestCostsTheOthersOnItsConnectionNothing() {
        byte[] body = bytes(envelope("client.created", 1));
        HttpClientRequest slow = post(body);
        slow.setChunked(true).write(Buffer.buffer(body).getBuffer(0, 10)).await();
        HttpClientRequest large = post(body);
        large.setChunked(true).write(Buffer.buffer(new byte[60_000])).await();
        large.write(Buffer.buffer(new byte[60_000]));

        assertThat(large.response().await().statusCode()).isEqualTo(413);
        // Longer than a refused request's rest is still read.
        vertx.timer(3, TimeUnit.SECONDS).await();
        slow.end(Buffer.buffer(body).getBuffer(10, body.length)).await();

        assertThat(slow.response().await().statusCode()).isEqualTo(200);
    }

    @Test
    void aRequestThatIsGivenUpCostsTheOthersOnItsConnectionNothing() {
        byte[] body = bytes(envelope("client.created", 1));
        HttpClientRequest slow = post(body);
        slow.setChunked(true).write(Buffer.buffer(body).getBuffer(0, 10)).await();
        HttpClientRequest given = post(body);
        given.setChunked(true).write(Buffer.buffer(body).getBuffer(0, 10)).await();

        given.reset();
        Eventually.eventually(() -> assertThat(gateway.refusals("incomplete")).isEqualTo(1));
        slow.end(Buffer.buffer(body).getBuffer(10, body.length)).await();

        assertThat(slow.response().await().statusCode()).isEqualTo(200);
    }

    @Test
    void requestsGivenUpBeforeTheirAnswerCostNothing() {
        for (int i = 0; i < 50; i++) {
            byte[] left = bytes(envelope("client.left", i));
            HttpClientRequest leaving = post(left);
            leaving.end(Buffer.buffer(left)).await();
            leaving.reset();
            byte[] body = bytes(envelope("client.created", i));
            assertThat(post(body).send(Buffer.buffer(body)).await().statusCode())
                    .isEqualTo(200);
        }
    }

    @Test
    void otherPathsMethodsAndTooManyHeadersAreRefused() {
        RequestOptions options = new RequestOptions().setHost("localhost").setPort(gateway.port());

        assertThat(status(new RequestOptions(options).setMethod(HttpMethod.POST).setURI("/other")))
                .isEqualTo(404);
        assertThat(status(new RequestOptions(options).setMethod(HttpMethod.GET).setURI("/webhook")))
                .isEqualTo(405);
        RequestOptions many =
                new RequestOptions(options).setMethod(HttpMethod.POST).setURI("/webhook");
        for (int i = 0; i < 120; i++) {
            many.addHeader("x", Integer.toString(i));
        }
        assertThat(status(many)).isEqualTo(431);
    }

    @Test
    void aHeadMayBeAsLargeAsInHttp1() {
        byte[] body = bytes(envelope("client.created", 1));

        HttpClientResponse response = post(body)
                .putHeader("x", "x".repeat(12 << 10))
                .send(Buffer.buffer(body))
                .await();

        assertThat(response.statusCode()).isEqualTo(200);
    }

    /** Which in HTTP/2 has no target (RFC 9113, section 8.5). */
    @Test
    void aConnectIsRefusedLikeAnyOtherTarget() {
        assertThat(status(new RequestOptions()
                        .setHost("localhost")
                        .setPort(gateway.port())
                        .setMethod(HttpMethod.CONNECT)))
                .isEqualTo(400);
        assertThat(gateway.refusals("target")).isEqualTo(1);
    }

    private int status(RequestOptions options) {
        return client.request(options)
                .compose(HttpClientRequest::send)
                .map(HttpClientResponse::statusCode)
                .await();
    }
}
