package dev.holdfast.consumer.http;

import static dev.holdfast.gateway.FaultyReceiver.OK;
import static dev.holdfast.gateway.FaultyReceiver.always;
import static dev.holdfast.gateway.FaultyReceiver.status;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.LogLines;
import dev.holdfast.consumer.ConsumerContext;
import dev.holdfast.consumer.RetryLater;
import dev.holdfast.gateway.FaultyReceiver;
import dev.holdfast.push.Push;
import dev.holdfast.push.TestPush;
import io.netty.channel.ChannelPipeline;
import io.vertx.core.Context;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.ThreadingModel;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.http.impl.HttpClientConnection;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.PemKeyCertOptions;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a receiver may do to the connections that pushes go over. */
@Timeout(60)
class ReceiverConnectionsTest {
    @TempDir
    Path directory;

    private final Vertx vertx = Vertx.vertx();
    private Context context = vertx.getOrCreateContext();

    /** Its end isn't waited for: Vert.x loses that of a client whose handshake runs out of time as it closes. */
    @AfterEach
    void stop() {
        vertx.close();
    }

    private Forwarder forwarder(String url, Map<String, Object> more) {
        return forwarder(url, 16, more);
    }

    private Forwarder forwarder(String url, int concurrency, Map<String, Object> more) {
        Map<String, Object> options = new HashMap<>(more);
        options.put("url", url);
        HttpOptions read = HttpOptions.read("forward", Duration.ofSeconds(20), List.of(), options, file -> {});
        ConsumerContext consumer = new ConsumerContext("forward", Duration.ofSeconds(20), concurrency, "", Map.of(), 1);
        return new Forwarder(vertx, read, consumer, InstantSource.system());
    }

    private static Push push(int size) {
        return TestPush.of(7, "{\"event\":\"client.created\",\"client\":\"" + "x".repeat(size) + "\"}");
    }

    /** As a consumer does, on a context. What the attempt fails with. */
    private CompletableFuture<Optional<Throwable>> forward(Forwarder forwarder, Push push) {
        CompletableFuture<Optional<Throwable>> failure = new CompletableFuture<>();
        context.runOnContext(v -> forwarder
                .forward(push)
                .onComplete(done -> failure.complete(Optional.empty()), e -> failure.complete(Optional.of(e))));
        return failure;
    }

    private int serve(Certificate certificate, Handler<HttpServerRequest> answer) {
        HttpServerOptions options = new HttpServerOptions()
                .setSsl(true)
                .setKeyCertOptions(new PemKeyCertOptions()
                        .addCertPath(certificate.chain().toString())
                        .addKeyPath(certificate.key().toString()));
        return vertx.createHttpServer(options)
                .requestHandler(answer)
                .listen(0, "127.0.0.1")
                .await()
                .actualPort();
    }

    @ParameterizedTest
    @EnumSource(
            value = ThreadingModel.class,
            names = {"EVENT_LOOP", "WORKER"})
    void aConnectionThatIsEndedAsARequestComesCostsThePushNoAttempt(ThreadingModel threading) throws Exception {
        vertx.deployVerticle(
                        own -> {
                            context = own;
                            return Future.succeededFuture();
                        },
                        new DeploymentOptions().setThreadingModel(threading))
                .await();
        Set<Socket> answered = ConcurrentHashMap.newKeySet();
        try (FaultyReceiver receiver = new FaultyReceiver((request, connection) -> {
            if (answered.add(connection)) {
                always(OK).answer(request, connection);
            } else {
                connection.close();
            }
        })) {
            // A worker gives a connection back later than its answer: the next push would open another.
            Forwarder forwarder = forwarder(receiver.url(), 1, Map.of());

            for (int push = 1; push <= 4; push++) {
                assertThat(forward(forwarder, push(1)).get(30, TimeUnit.SECONDS))
                        .as("push " + push)
                        .isEmpty();
            }
            assertThat(answered).hasSize(4);
        }
    }

    /** Vert.x tells it to whoever asks for the answer, and has an error in the log as well where nobody else listens. */
    @Test
    void aConnectionThatEndsBeforeItsRequestIsWrittenIsNoErrorInTheLog() throws Exception {
        List<HttpConnection> connections = new CopyOnWriteArrayList<>();
        try (FaultyReceiver receiver = new FaultyReceiver(always(OK));
                LogLines log = LogLines.atWarn()) {
            HttpOptions options = HttpOptions.read(
                    "forward", Duration.ofSeconds(20), List.of(), Map.of("url", receiver.url()), file -> {});
            HttpClient client = vertx.httpClientBuilder()
                    .with(options.client())
                    .withConnectHandler(connections::add)
                    .build();
            attempt(client, options, () -> {}).get(30, TimeUnit.SECONDS);

            attempt(client, options, () -> end(connections.get(0))).get(30, TimeUnit.SECONDS);

            assertThat(connections).hasSize(2);
            assertThat(log.lines()).isEmpty();
        }
    }

    /** Done when the attempt has succeeded, and its connection is in the pool again. */
    private CompletableFuture<Void> attempt(HttpClient client, HttpOptions options, Runnable beforeItIsWritten) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        RequestOptions head = new RequestOptions()
                .setMethod(HttpMethod.POST)
                .setHost(options.target().host())
                .setPort(options.target().port());
        context.runOnContext(v -> {
            new HttpAttempt(vertx, client, options, InstantSource.system())
                    .run(head, Buffer.buffer("{}"))
                    .onComplete(
                            taken -> context.runOnContext(pooled -> done.complete(null)), done::completeExceptionally);
            beforeItIsWritten.run();
        });
        return done;
    }

    /** What the event loop does when it reads a connection's end: in the same turn, before what waits for the next. */
    private static void end(HttpConnection connection) {
        ChannelPipeline pipeline =
                ((HttpClientConnection) connection).channelHandlerContext().pipeline();
        pipeline.fireChannelInactive();
        pipeline.close();
    }

    @Test
    void aReceiverThatEndsEachConnectionGetsOneRequestAnAttempt() throws Exception {
        AtomicInteger requests = new AtomicInteger();
        try (FaultyReceiver receiver = new FaultyReceiver((request, connection) -> {
            requests.incrementAndGet();
            connection.close();
        })) {
            assertThat(forward(forwarder(receiver.url(), Map.of()), push(1)).get(30, TimeUnit.SECONDS))
                    .containsInstanceOf(RetryLater.class);
            assertThat(requests).hasValue(1);
        }
    }

    @Test
    void aPushThatEndsEveryConnectionIsSentTwiceInAnAttempt() throws Exception {
        AtomicInteger fatal = new AtomicInteger();
        CyclicBarrier together = new CyclicBarrier(4);
        try (FaultyReceiver receiver = new FaultyReceiver((request, connection) -> {
            if (request.body().length() > 100) {
                fatal.incrementAndGet();
                connection.close();
                return;
            }
            meet(together);
            always(OK).answer(request, connection);
        })) {
            Forwarder forwarder = forwarder(receiver.url(), Map.of());
            List<CompletableFuture<Optional<Throwable>>> pushes =
                    Stream.generate(() -> forward(forwarder, push(1))).limit(4).toList();
            for (CompletableFuture<Optional<Throwable>> push : pushes) {
                assertThat(push.get(30, TimeUnit.SECONDS)).isEmpty();
            }

            assertThat(forward(forwarder, push(100)).get(30, TimeUnit.SECONDS)).containsInstanceOf(RetryLater.class);
            assertThat(fatal).hasValue(2);
        }
    }

    @Test
    void aPushThatIsUnderWayAsTheConsumerIsStoppedFailsAtOnce() throws Exception {
        CompletableFuture<Void> arrived = new CompletableFuture<>();
        try (FaultyReceiver receiver = new FaultyReceiver((request, connection) -> {
            if (request.body().length() > 100) {
                arrived.complete(null);
            } else {
                always(OK).answer(request, connection);
            }
        })) {
            Forwarder forwarder = forwarder(receiver.url(), Map.of());
            assertThat(forward(forwarder, push(1)).get(30, TimeUnit.SECONDS)).isEmpty();
            CompletableFuture<Optional<Throwable>> underWay = forward(forwarder, push(100));
            arrived.get(30, TimeUnit.SECONDS);

            forwarder.close();

            assertThat(underWay.get(10, TimeUnit.SECONDS)).containsInstanceOf(RetryLater.class);
        }
    }

    private static void meet(CyclicBarrier barrier) throws IOException {
        try {
            barrier.await(20, TimeUnit.SECONDS);
        } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
            throw new IOException(e);
        }
    }

    private String onlyTheFirstWithoutAnAnswer(AtomicInteger requests) {
        int port = vertx.createHttpServer()
                .requestHandler(request -> {
                    if (requests.incrementAndGet() > 1) {
                        request.response().end();
                    }
                })
                .listen(0, "127.0.0.1")
                .await()
                .actualPort();
        return "http://127.0.0.1:" + port + "/in";
    }

    @Test
    void noPushGetsTheConnectionThatEndsAsAnotherHasNoAnswerInTime() throws Exception {
        AtomicInteger requests = new AtomicInteger();
        Forwarder forwarder = forwarder(onlyTheFirstWithoutAnAnswer(requests), 1, Map.of("request-timeout", "3s"));
        CompletableFuture<Optional<Throwable>> hangs = forward(forwarder, push(1));
        // The other has time left when this one has none.
        await().pollDelay(Duration.ofSeconds(1)).until(() -> requests.get() == 1);
        CompletableFuture<Optional<Throwable>> waits = forward(forwarder, push(1));

        assertThat(hangs.get(30, TimeUnit.SECONDS))
                .hasValueSatisfying(e -> assertThat(e).hasMessageEndingWith("no answer within 3000 ms"));
        assertThat(waits.get(30, TimeUnit.SECONDS)).isEmpty();
    }

    @Test
    void aPushThatTimesOutAsItWaitsTakesNoPlaceOnTheNextConnection() throws Exception {
        Forwarder forwarder =
                forwarder(onlyTheFirstWithoutAnAnswer(new AtomicInteger()), 1, Map.of("request-timeout", "2s"));
        List<CompletableFuture<Optional<Throwable>>> pushes = new CopyOnWriteArrayList<>();
        // In one step, so that all of them time out before there is another connection.
        context.runOnContext(
                v -> Stream.generate(() -> forward(forwarder, push(1))).limit(3).forEach(pushes::add));
        await().until(() -> pushes.size() == 3);
        CompletableFuture.allOf(pushes.toArray(CompletableFuture<?>[]::new)).get(30, TimeUnit.SECONDS);

        assertThat(forward(forwarder, push(1)).get(30, TimeUnit.SECONDS)).isEmpty();
    }

    @Test
    void aConnectionThatIsThereTooLateForOnePushIsThereForTheNext() throws Exception {
        Certificate certificate = Certificate.make(directory);
        int port = serve(certificate, request -> request.response().end());
        CompletableFuture<Void> opened = new CompletableFuture<>();
        NetClient onwards = vertx.createNetClient();
        int way = vertx.createNetServer()
                .connectHandler(client -> {
                    client.pause();
                    opened.thenRun(() -> onwards.connect(port, "127.0.0.1").onSuccess(server -> {
                        var unusedThere = client.pipeTo(server);
                        var unusedBack = server.pipeTo(client);
                    }));
                })
                .listen(0, "127.0.0.1")
                .await()
                .actualPort();
        Forwarder forwarder = forwarder(
                "https://localhost:" + way + "/in",
                Map.of("trust", certificate.chain().toString(), "request-timeout", "2s"));
        assertThat(forward(forwarder, push(1)).get(30, TimeUnit.SECONDS))
                .hasValueSatisfying(e -> assertThat(e).hasMessageEndingWith("no connection within 2000 ms"));

        opened.complete(null);

        assertThat(forward(forwarder, push(1)).get(30, TimeUnit.SECONDS)).isEmpty();
    }

    @Test
    void anAnswerThatComesTwiceOverIsNotTheNextPushsToo() throws Exception {
        AtomicInteger requests = new AtomicInteger();
        try (FaultyReceiver receiver = new FaultyReceiver((request, connection) ->
                (requests.incrementAndGet() == 1 ? always(OK + OK) : status(503)).answer(request, connection))) {
            Forwarder forwarder = forwarder(receiver.url(), 1, Map.of());

            CompletableFuture<Optional<Throwable>> first = forward(forwarder, push(1));
            CompletableFuture<Optional<Throwable>> waiting = forward(forwarder, push(1));

            assertThat(first.get(30, TimeUnit.SECONDS)).isEmpty();
            assertThat(waiting.get(30, TimeUnit.SECONDS)).containsInstanceOf(RetryLater.class);
        }
    }

    /** A length that counts letters instead of bytes is enough: the rest of the answer comes before the next one. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "ada@x.example" + OK,
                "ada@x.example/1.1 200 OK\r\n\r\n",
                "HTTP/1.1 ada@x.example\r\n\r\n",
                "HTTP/1.1 200 OK\r\nada@x.example: 1\r\n\r\n",
                "HTTP/1.1 200 OK\r\nA: ada@x.example\0\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: ada@x.example\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: ada@x.example\r\n\r\n"
            })
    void nothingOfAnAnswerThatIsNoneIsInTheMessage(String answer) throws Exception {
        try (FaultyReceiver receiver = new FaultyReceiver(always(answer))) {
            assertThat(forward(forwarder(receiver.url(), Map.of()), push(1)).get(30, TimeUnit.SECONDS))
                    .hasValueSatisfying(e -> assertThat(e)
                            .isInstanceOf(RetryLater.class)
                            .hasMessageEndingWith(": found an answer that is malformed, expected HTTP/1.1"));
        }
    }

    /** Each of them takes time of the event loop, which the receiver of pushes may share. */
    @ParameterizedTest
    @ValueSource(ints = {100, 103})
    void anAnswerThatIsBegunWithoutEndIsNone(int status) throws Exception {
        String interim = "HTTP/1.1 " + status + " Wait\r\n\r\n";
        try (FaultyReceiver receiver = new FaultyReceiver((request, connection) -> {
            while (true) {
                always(interim).answer(request, connection);
            }
        })) {
            assertThat(forward(forwarder(receiver.url(), Map.of()), push(1)).get(30, TimeUnit.SECONDS))
                    .hasValueSatisfying(e -> assertThat(e).hasMessageContaining("interim answers"));
        }
    }

    /** A push that is larger than what lies on its way in the kernels' buffers. */
    private static final int LARGE = 16_000_000;

    @Test
    void noPushWaitsBehindTheRestOfOneThatWasAnsweredBeforeItWasRead() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Forwarder forwarder = forwarder("http://127.0.0.1:" + server.getLocalPort() + "/in", Map.of());
            for (int attempt = 1; attempt <= 2; attempt++) {
                CompletableFuture<Optional<Throwable>> failure = forward(forwarder, push(LARGE));
                try (Socket connection = accept(server)) {
                    connection.getInputStream().readNBytes(1);
                    connection
                            .getOutputStream()
                            .write("HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n".getBytes(UTF_8));
                    assertThat(failure.get(30, TimeUnit.SECONDS))
                            .hasValueSatisfying(e -> assertThat(e).hasMessageContaining("answered 503"));
                    assertThat(read(connection)).isLessThan(LARGE);
                }
            }
        }
    }

    @Test
    void nothingOfAPushIsSentAfterItsAttempt() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Forwarder forwarder =
                    forwarder("http://127.0.0.1:" + server.getLocalPort() + "/in", Map.of("request-timeout", "3s"));

            assertThat(forward(forwarder, push(LARGE)).get(30, TimeUnit.SECONDS))
                    .hasValueSatisfying(e -> assertThat(e).hasMessageEndingWith("no answer within 3000 ms"));

            try (Socket connection = accept(server)) {
                assertThat(read(connection)).isLessThan(LARGE);
            }
        }
    }

    private static Socket accept(ServerSocket server) throws IOException {
        server.setSoTimeout(20_000);
        Socket connection = server.accept();
        connection.setSoTimeout(20_000);
        return connection;
    }

    /** How much comes before the connection's end. */
    private static long read(Socket connection) throws IOException {
        long count = 0;
        byte[] some = new byte[65_536];
        try {
            InputStream in = connection.getInputStream();
            for (int read = in.read(some); read >= 0; read = in.read(some)) {
                count += read;
            }
        } catch (SocketException reset) {
            return count;
        }
        return count;
    }

    @Test
    void whatWasNeverSentIsNotSaidToBeWithoutAnAnswer() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            String url = "https://localhost:" + silent.getLocalPort() + "/in";

            assertThat(forward(forwarder(url, Map.of("request-timeout", "1s")), push(1))
                            .get(30, TimeUnit.SECONDS))
                    .hasValueSatisfying(e -> assertThat(e).hasMessageEndingWith("no connection within 1000 ms"));
        }
    }

    @Test
    void anAnswerWithALargeHeadIsOne() throws Exception {
        Certificate certificate = Certificate.make(directory);
        String cookie = "c".repeat(20_000);
        int port = serve(
                certificate,
                request -> request.response().putHeader("Set-Cookie", cookie).end());
        try (FaultyReceiver receiver = new FaultyReceiver(status(200, "Set-Cookie: " + cookie))) {
            assertThat(forward(forwarder(receiver.url(), Map.of()), push(1)).get(30, TimeUnit.SECONDS))
                    .isEmpty();
            assertThat(forward(
                                    forwarder(
                                            "https://localhost:" + port + "/in",
                                            Map.of("trust", certificate.chain().toString())),
                                    push(1))
                            .get(30, TimeUnit.SECONDS))
                    .isEmpty();
        }
    }

    @Test
    void whatIsTrustedIsWhatTheFileHeldAsItWasLookedAt() throws Exception {
        Certificate certificate = Certificate.make(directory);
        int port = serve(certificate, request -> request.response().end());
        Path trust = Files.copy(certificate.chain(), directory.resolve("trust.pem"));
        Forwarder forwarder = forwarder("https://localhost:" + port + "/in", Map.of("trust", trust.toString()));

        Files.writeString(trust, "no certificate");

        assertThat(forward(forwarder, push(1)).get(30, TimeUnit.SECONDS)).isEmpty();
    }
}
