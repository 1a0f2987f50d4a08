package dev.holdfast.consumer.http;

import static dev.holdfast.gateway.FaultyReceiver.status;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.consumer.ConsumerContext;
import dev.holdfast.gateway.FaultyReceiver;
import dev.holdfast.push.BusinessData;
import dev.holdfast.push.EnvelopeReader;
import dev.holdfast.push.Push;
import dev.holdfast.push.PushRecord;
import dev.holdfast.push.RequestHead;
import io.vertx.core.Context;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a receiver may do to the connections that pushes go over. */
@Timeout(60)
class ReceiverConnectionsTest {
    @TempDir
    Path directory;

    private final Vertx vertx = Vertx.vertx();
    private final Context context = vertx.getOrCreateContext();

    @AfterEach
    void stop() throws Exception {
        vertx.close().await(30, TimeUnit.SECONDS);
    }

    private Forwarder forwarder(String url, Map<String, Object> more) {
        Map<String, Object> options = new HashMap<>(more);
        options.put("url", url);
        HttpOptions read = HttpOptions.read("forward", Duration.ofSeconds(20), List.of(), options);
        ConsumerContext consumer = new ConsumerContext("forward", Duration.ofSeconds(20), "");
        return new Forwarder(vertx, read, consumer, InstantSource.system());
    }

    private static Push push(int size) {
        byte[] body = ("{\"event\":\"client.created\",\"client\":\"" + "x".repeat(size) + "\"}").getBytes(UTF_8);
        PushRecord record = new PushRecord(
                7, "default", EnvelopeReader.read(body), 0, new RequestHead("abc", "text/plain", "", ""), body);
        return new Push(record, new BusinessData(null), 1);
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
                .setUseAlpn(true)
                .setKeyCertOptions(new PemKeyCertOptions()
                        .addCertPath(certificate.chain().toString())
                        .addKeyPath(certificate.key().toString()));
        return vertx.createHttpServer(options)
                .requestHandler(answer)
                .listen(0, "127.0.0.1")
                .await()
                .actualPort();
    }

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
